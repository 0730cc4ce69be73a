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
//                   and remembers the highest value of each block, so that few blocks are looked at again.
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

// The largest value of the cuts after the steps [first, last]; 0 where there is no cut.
template <class Index>
double highest_square(const Item<Index>* items, std::int64_t first, std::int64_t last, const std::int64_t* whole,
                      const CutFactor* factors) {
    std::array<double, 4> highest{};
    std::int64_t sum = 0, i = 0;
    for (; i < first; ++i) sum += whole[items[i].row];
    const auto step = [&](std::int64_t at, double& most) {
        sum += whole[items[at].row];
        const double d = static_cast<double>(sum) - factors[at].drift;
        const double value = keep_if(items[at].rank != items[at + 1].rank, d * d * factors[at].factor);
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
                 const CutFactor* factors, double least, Offer offer) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i <= last; ++i) {
        sum += whole[items[i].row];
        const double d = static_cast<double>(sum) - factors[i].drift;
        const double value = d * d * factors[i].factor;
        if (value >= least && i >= first && items[i].rank != items[i + 1].rank) offer(i, value);
    }
}

inline constexpr std::size_t kBlock = 64;

// The largest d^2 W / (l r) of kBlock cuts; `sum`: d of each, `left`: l of the first. (What lies beyond the last cut of
// a node has d = 0 and is not counted, even where l r is zero.)
double highest_of_block(const double* sum, double left, double weight);

class BlockScan {
  public:
    // The largest value of the cuts after the steps [first, last]; 0 where there is no cut.
    template <class Index>
    double highest(const Item<Index>* items, std::int64_t first, std::int64_t last, const std::int64_t* whole,
                   const TwoSides& sides) {
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
                d[static_cast<std::size_t>(i - begin)] = keep_if(
                    items[i].rank != items[i + 1].rank, static_cast<double>(sum) - drift * static_cast<double>(i + 1));
            }
            std::fill(d.begin() + (end - begin), d.end(), 0.0);
            const double high = highest_of_block(d.data(), static_cast<double>(begin + 1), sides.weight);
            blocks_.push_back({begin, before, high});
            most = std::max(most, high);
        }
        return most;
    }

    // After that: calls offer(i, value) for the cuts whose value is at least `least`.
    template <class Index, class Offer>
    void each(const Item<Index>* items, std::int64_t last, const std::int64_t* whole, const TwoSides& sides,
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
                if (value >= least && items[i].rank != items[i + 1].rank) offer(i, value);
            }
        }
    }

  private:
    struct Block {
        std::int64_t begin, sum;  // its first step, and the sum of the rows before it
        double high;
    };
    std::vector<Block> blocks_;
};

template <class Index>
std::int64_t count_cuts(std::span<const Item<Index>> items) {
    std::int64_t cuts = 0;
    for (std::size_t i = 0; i + 1 < items.size(); ++i) cuts += items[i].rank != items[i + 1].rank;
    return cuts;
}

}  // namespace boxwood
