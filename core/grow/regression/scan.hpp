// The best cut of one sorted column at one node, for squared error and the Poisson deviance.
//
// One pass over the rows in value order adds up their rounded responses. D is the
// centred sum of the rows left of a cut, l and r are the weights of both sides,
// W = l + r, and c is the mean of the node (criteria/regression.hpp):
//     squared error   the value is D^2 W / (l r), and reaches a limit where D^2 >= limit / W l r: no division.
//     Poisson         the value is c (p phi(x) + q phi(-s)), where p is the weight of the side above the mean, q that
//                     of the side below it, x = |D| / (c p) and s = |D| / (c q). Logarithms are spared by the bounds
//                         phi(x) <= x^2 (1/2 - x/6 + x^2/12)    for 0 <= x <= 1, whose factor is least at x = 1,
//                         phi(-s) <= s^2 (1/2 + s/6 + s^2/3)    for 0 <= s <= 1:
//                     the series of phi has alternating signs for x > 0; for -s, all terms s^k / (k (k - 1)) are
//                     positive, and those from the fourth on add up to s^4 / 3 at s = 1. phi(x) / x^2 falls, so the
//                     factor at 1 serves for x > 1.
// With unit weights, squared error has two quicker ways. Both find the highest
// value first, without a branch that depends on the data (along a column that
// matters the value climbs for many rows, and each of them would be a new best),
// and then the cuts that come near it, if another column has not done better:
//     small nodes   l is the number of rows, so that W / (l r) is the same for all columns: it is computed once per
//                   node, and highest_square() multiplies only.
//     large nodes   such a table would drive the responses out of the cache; BlockScan divides, many cuts at a time,
//                   and remembers the highest value of each block, so that few blocks are looked at again. Reading
//                   responses by row is what takes the time there, so that bound_by_tags() first tells which columns
//                   cannot win.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/regression.hpp"
#include "data/ranks.hpp"

namespace boxwood {

// Is there a cut between two neighbours of a sorted column? `tag`: low bits of a rank that are not of the value; only
// wide items have any, see Sample.
template <class Index>
bool cut_between(const Item<Index>& a, const Item<Index>& b, int tag) {
    if constexpr (sizeof(Index) == 4) return (a.rank ^ b.rank) >> tag != 0;
    return a.rank != b.rank;
}

// The rows that a cut divides, and those that are on its left from the start.
struct TwoSides {
    std::int64_t sum = 0;
    double weight = 0;
    std::int64_t base_sum = 0;
    double base_weight = 0;
    double centre = 0;                                                  // the mean of these rows, in units
    double drift() const { return static_cast<double>(sum) / weight; }  // of the sums, which centring leaves near zero
};

// The value of a cut in units of the sums, squared for squared error; `reaches` may say yes to one that does not.
struct SquaredError {
    double weight = 0, centre = 0;
    static double value(double d, double left, double right, double) {
        return d * d * ((left + right) / (left * right));
    }
    double limit(double least) const { return least / weight; }
    bool reaches(double d, double left, double right, double limit) const { return d * d >= limit * (left * right); }
};

struct PoissonDeviance {
    double weight = 0, centre = 0;
    static double value(double d, double left, double right, double centre) {
        return centre * (left * poisson_excess(d / (centre * left)) + right * poisson_excess(-d / (centre * right)));
    }
    double limit(double least) const { return least / centre; }
    bool reaches(double d, double left, double right, double limit) const {
        const double above = d > 0 ? left : right, below = d > 0 ? right : left;
        const double step = std::fabs(d) / (centre * left * right);
        const double x = step * below, s = step * above, small = std::min(x, 1.0);
        const double bound = above * (x * x) * (0.5 - small * (1.0 / 6 - small * (1.0 / 12))) +
                             below * (s * s) * (0.5 + s * (1.0 / 6 + s * (1.0 / 3)));
        return bound * (1 + 1e-14) >= limit;
    }
};

// The cuts after the steps [first, last] (step i: the known row i), in order; offer(i, value) is called for those
// that may reach `least`, and returns the least value that is then of interest. `weights`: of rows; null: all 1.
// Returns whether there is a cut at all.
template <class Kind, class Index, class Offer>
bool scan_sorted(const Item<Index>* items, std::int64_t first, std::int64_t last, const std::int64_t* whole,
                 const double* weights, double min_weight, const TwoSides& sides, double least, Offer offer) {
    const Kind kind{sides.weight, sides.centre};
    const double drift = sides.drift();
    double limit = kind.limit(least);
    std::int64_t sum = sides.base_sum;
    double left = sides.base_weight;
    bool some = false;
    for (std::int64_t i = 0; i <= last; ++i) {
        sum += whole[items[i].row];
        if (weights != nullptr) {
            left += weights[items[i].row];
        } else {
            left = sides.base_weight + static_cast<double>(i + 1);
        }
        if (i < first) continue;
        const double right = sides.weight - left;
        const double d = static_cast<double>(sum) - drift * left;
        bool cut = items[i].rank != items[i + 1].rank;
        if (weights != nullptr) cut = cut && left >= min_weight && right >= min_weight;
        some |= cut;
        if (cut && kind.reaches(d, left, right, limit)) {
            limit = kind.limit(offer(i, Kind::value(d, left, right, sides.centre)));
        }
    }
    return some;
}

// For the cut after step i of a node with unit weights: W / (l r), and the drift of the l rows on its left.
struct CutFactor {
    double factor, drift;
};

inline double keep_if(std::int64_t flag, double value) {
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(value) & -flag);
}

// The largest value of the cuts after the steps [first, last]; 0 where there is no cut. With kDistinct there is one
// after every step.
template <bool kDistinct, class Index>
double highest_square(const Item<Index>* items, std::int64_t first, std::int64_t last, const std::int64_t* whole,
                      const CutFactor* factors, int tag) {
    std::array<double, 4> highest{};
    std::int64_t sum = 0, i = 0;
    for (; i < first; ++i) sum += whole[items[i].row];
    const auto step = [&](std::int64_t at, double& most) {
        sum += whole[items[at].row];
        const double d = static_cast<double>(sum) - factors[at].drift;
        const bool cut = kDistinct || cut_between(items[at], items[at + 1], tag);
        const double value = keep_if(cut, d * d * factors[at].factor);
        most = value > most ? value : most;
    };
    for (; i + 4 <= last + 1; i += 4) {
        step(i, highest[0]);
        step(i + 1, highest[1]);
        step(i + 2, highest[2]);
        step(i + 3, highest[3]);
    }
    for (; i <= last; ++i) step(i, highest[0]);
    return std::max(std::max(highest[0], highest[1]), std::max(highest[2], highest[3]));
}

// Calls offer(i, value) for the cuts whose value is at least `least`.
template <class Index, class Offer>
void each_square(const Item<Index>* items, std::int64_t first, std::int64_t last, const std::int64_t* whole,
                 const CutFactor* factors, int tag, double least, Offer offer) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i <= last; ++i) {
        sum += whole[items[i].row];
        const double d = static_cast<double>(sum) - factors[i].drift;
        const double value = d * d * factors[i].factor;
        if (value >= least && i >= first && cut_between(items[i], items[i + 1], tag)) offer(i, value);
    }
}

inline constexpr std::size_t kBlock = 64;

// The largest d^2 W / (l r) of kBlock cuts; `sum`: d of each, `left`: l of the first. (What lies beyond the last cut of
// a node has d = 0 and is not counted, even where l r is zero.)
double highest_of_block(const double* sum, double left, double weight);
// The largest d^2 of these.
double widest_of_block(const double* sum);

class BlockScan {
  public:
    // The largest value of the cuts after the steps [first, last]; 0 where there is no cut.
    template <bool kDistinct, class Index>
    double highest(const Item<Index>* items, std::int64_t first, std::int64_t last, const std::int64_t* whole,
                   const TwoSides& sides, int tag) {
        blocks_.clear();
        std::int64_t sum = 0, i = 0;
        for (; i < first; ++i) sum += whole[items[i].row];
        std::array<double, kBlock> d;
        const double drift = sides.drift();
        double most = 0;
        while (i <= last) {
            const std::int64_t begin = i, end = std::min(last + 1, begin + static_cast<std::int64_t>(kBlock));
            const std::int64_t before = sum;
            for (; i < end; ++i) {
                sum += whole[items[i].row];
                d[static_cast<std::size_t>(i - begin)] =
                    keep_if(cut_between(items[i], items[i + 1], tag),
                            static_cast<double>(sum) - drift * static_cast<double>(i + 1));
            }
            std::fill(d.begin() + (end - begin), d.end(), 0.0);
            // l r is least at an end of the block. Most blocks are below the best one by that bound already.
            const auto left = static_cast<double>(begin + 1), right = sides.weight - static_cast<double>(end);
            const double least = std::min(left * (sides.weight - left), static_cast<double>(end) * right);
            double high = widest_of_block(d.data()) * (sides.weight / least) * (1 + 1e-14);
            if (high > most) {
                high = highest_of_block(d.data(), left, sides.weight);
                most = std::max(most, high);
            }
            blocks_.push_back({begin, before, high});
        }
        return most;
    }

    // After that: calls offer(i, value) for the cuts whose value is at least `least`.
    template <class Index, class Offer>
    void each(const Item<Index>* items, std::int64_t last, const std::int64_t* whole, const TwoSides& sides, int tag,
              double least, Offer offer) const {
        const double drift = sides.drift();
        for (const Block& block : blocks_) {
            if (block.high < least) continue;
            std::int64_t sum = block.sum;
            const std::int64_t end = std::min(last + 1, block.begin + static_cast<std::int64_t>(kBlock));
            for (std::int64_t i = block.begin; i < end; ++i) {
                sum += whole[items[i].row];
                const auto left = static_cast<double>(i + 1);
                const double d = static_cast<double>(sum) - drift * left;
                const double value = SquaredError::value(d, left, sides.weight - left, 0);
                if (value >= least && cut_between(items[i], items[i + 1], tag)) offer(i, value);
            }
        }
    }

  private:
    struct Block {
        std::int64_t begin, sum;  // its first step, and the sum of the rows before it
        double high;              // no cut of it has a larger value
    };
    std::vector<Block> blocks_;
};

template <class Index>
std::int64_t count_cuts(std::span<const Item<Index>> items, int tag) {
    std::int64_t cuts = 0;
    for (std::size_t i = 0; i + 1 < items.size(); ++i) cuts += cut_between(items[i], items[i + 1], tag);
    return cuts;
}

// A bound of the values of all cuts, from tags that tell the responses roughly, without a look at the responses.
//
// Let a response be y = low + (q + 1/2 + e) step, where q is its tag and |e| <= 1/2. Then the centred sum left of a
// cut is step (S + E), where S is the sum of q - mean(q) over the l rows on the left, and E that of e - mean(e), so
// that |E| <= l r / W. The square root of the value is |S + E| step sqrt(W / (l r)), at most
//     step (|S| sqrt(W / (l r)) + sqrt(W) / 2).
// S is added up in fixed point, and its extremes are kept for blocks of cuts; l r is least at an end of a block.
template <class Index>
double bound_by_tags(std::span<const Item<Index>> items, std::int64_t total, int bits, double step) {
    constexpr int kFraction = 16;
    constexpr std::size_t kWide = 128;
    const std::size_t n = items.size();
    const auto weight = static_cast<double>(n);
    const double mean = static_cast<double>(total) / weight;
    const auto centre = static_cast<std::int64_t>(std::llround(std::ldexp(mean, kFraction)));
    const auto mask = (std::int64_t{1} << bits) - 1;
    std::int64_t sum = 0;
    double most = 0;  // of S^2 / (l r)
    for (std::size_t begin = 0; begin + 1 < n; begin += kWide) {
        const std::size_t end = std::min(begin + kWide, n - 1);
        std::int64_t high = 0, low = 0;
        for (std::size_t i = begin; i < end; ++i) {
            sum += ((static_cast<std::int64_t>(items[i].rank) & mask) << kFraction) - centre;
            high = std::max(high, sum);
            low = std::min(low, sum);
        }
        const double extreme = std::ldexp(static_cast<double>(std::max(high, -low)), -kFraction) +
                               std::ldexp(static_cast<double>(end), -kFraction - 1);
        const auto product = [&](std::size_t left) {
            return static_cast<double>(left) * static_cast<double>(n - left);
        };
        most = std::max(most, extreme * extreme / std::min(product(begin + 1), product(end)));
    }
    const double root = step * (std::sqrt(most * weight) + std::sqrt(weight) / 2);
    return root * root * (1 + 1e-9);
}

}  // namespace boxwood
