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
//                   node, and a cut takes two multiplications.
//     large nodes   such a table would drive the responses out of the cache, and the cuts are divided. Reading
//                   responses by row is what takes the time there, so that bound_by_tags() first tells which columns
//                   cannot win.
// BlockScan adds up a block of rows, weighs its cuts side by side, and remembers the highest value of each block, so
// that few blocks are looked at again.
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

inline constexpr std::size_t kLanes = 8;  // cuts that are weighed side by side

// For the cuts after the steps of a node with unit weights: W / (l r), and the drift of the l rows on the left. Numbers
// follow, kLanes of them, so that vectors may be read to their end.
struct CutFactors {
    std::vector<double> factor, drift;

    void lay(std::size_t n_rows, double total_drift) {
        const std::size_t n = n_rows - 1;
        for (auto* column : {&factor, &drift}) {
            if (column->size() < n + kLanes) column->resize(n + kLanes);
        }
        const auto weight = static_cast<double>(n_rows);
        for (std::size_t i = 0; i < n; ++i) {
            const auto left = static_cast<double>(static_cast<std::int64_t>(i) + 1);
            factor[i] = weight / (left * (weight - left));
            drift[i] = total_drift * left;
        }
        for (std::size_t i = n; i < n + kLanes; ++i) factor[i] = drift[i] = 0;
    }
};

inline double keep_if(std::int64_t flag, double value) {
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(value) & -flag);
}

inline constexpr std::size_t kBlock = 64;

// The largest d^2 W / (l r) of kBlock cuts; `sum`: d of each, `left`: l of the first. (What lies beyond the last cut of
// a node has d = 0 and is not counted, even where l r is zero.)
double highest_of_block(const double* sum, double left, double weight);
// The largest d^2 of these.
double widest_of_block(const double* sum);
// d of kBlock cuts; `sum`: of the rows on the left of each, `left`: how many these are at the first cut.
void centre_block(const std::int64_t* sum, double left, double drift, double* d);
// The largest d^2 W / (l r) of n cuts; `sum`: of the rows on the left of each. Where n is not a multiple of kLanes,
// more numbers follow, and their factors are zero.
double highest_by_factors(const std::int64_t* sum, const double* drift, const double* factor, std::size_t n);

class BlockScan {
  public:
    // The largest value of the cuts after the steps [first, last]; 0 where there is no cut. With kDistinct there is one
    // after every step. With `factors`, nothing is divided.
    template <bool kDistinct, class Index>
    double highest(const Item<Index>* items, std::int64_t first, std::int64_t last, const std::int64_t* whole,
                   const TwoSides& sides, const CutFactors* factors, int tag) {
        blocks_.clear();
        std::int64_t sum = 0, i = 0;
        for (; i < first; ++i) sum += whole[items[i].row];
        double most = 0;
        while (i <= last) {
            const auto begin = static_cast<std::size_t>(i);
            const std::size_t n = std::min(static_cast<std::size_t>(last + 1 - i), kBlock);
            const std::int64_t before = sum;
            const double high = factors != nullptr
                                    ? highest_by_table<kDistinct>(items, begin, n, whole, *factors, tag, sum)
                                    : highest_by_division<kDistinct>(items, begin, n, whole, sides, tag, most, sum);
            blocks_.push_back({i, before, high});
            most = std::max(most, high);
            i += static_cast<std::int64_t>(n);
        }
        return most;
    }

    // After that: calls offer(i, value) for the cuts whose value is at least `least`.
    template <class Index, class Offer>
    void each(const Item<Index>* items, std::int64_t last, const std::int64_t* whole, const TwoSides& sides,
              const CutFactors* factors, int tag, double least, Offer offer) const {
        const double drift = sides.drift();
        for (const Block& block : blocks_) {
            if (block.high < least) continue;
            std::int64_t sum = block.sum;
            const std::int64_t end = std::min(last + 1, block.begin + static_cast<std::int64_t>(kBlock));
            for (std::int64_t i = block.begin; i < end; ++i) {
                sum += whole[items[i].row];
                const auto left = static_cast<double>(i + 1);
                const double d = static_cast<double>(sum) - drift * left;
                const double value = factors != nullptr ? d * d * factors->factor[static_cast<std::size_t>(i)]
                                                        : SquaredError::value(d, left, sides.weight - left, 0);
                if (value >= least && cut_between(items[i], items[i + 1], tag)) offer(i, value);
            }
        }
    }

  private:
    struct Block {
        std::int64_t begin, sum;  // its first step, and the sum of the rows before it
        double high;              // no cut of it has a larger value
    };

    // The sums of the rows left of each cut of a block.
    template <class Index>
    static std::array<std::int64_t, kBlock> add_up(const Item<Index>* items, std::size_t n, const std::int64_t* whole,
                                                   std::int64_t& sum) {
        std::array<std::int64_t, kBlock> sums;
        std::int64_t here = sum;
        for (std::size_t i = 0; i < n; ++i) sums[i] = here += whole[items[i].row];
        std::fill(sums.begin() + static_cast<std::ptrdiff_t>(n), sums.end(), 0);
        sum = here;
        return sums;
    }

    template <bool kDistinct, class Index>
    static double highest_by_table(const Item<Index>* items, std::size_t begin, std::size_t n,
                                   const std::int64_t* whole, const CutFactors& factors, int tag, std::int64_t& sum) {
        const auto sums = add_up(items + begin, n, whole, sum);
        const double* factor = factors.factor.data() + begin;
        std::array<double, kBlock> kept{};  // zero where there is no cut, or none that is asked for
        if (!kDistinct || n % kLanes != 0) {
            for (std::size_t i = 0; i < n; ++i) {
                kept[i] = keep_if(kDistinct || cut_between(items[begin + i], items[begin + i + 1], tag), factor[i]);
            }
            factor = kept.data();
        }
        return highest_by_factors(sums.data(), factors.drift.data() + begin, factor, n);
    }

    // A bound is enough where it is below `most`.
    template <bool kDistinct, class Index>
    static double highest_by_division(const Item<Index>* items, std::size_t begin, std::size_t n,
                                      const std::int64_t* whole, const TwoSides& sides, int tag, double most,
                                      std::int64_t& sum) {
        const auto sums = add_up(items + begin, n, whole, sum);
        const auto left = static_cast<double>(begin + 1), last = static_cast<double>(begin + n);
        std::array<double, kBlock> d;
        centre_block(sums.data(), left, sides.drift(), d.data());
        if constexpr (!kDistinct) {
            for (std::size_t i = 0; i < n; ++i) {
                d[i] = keep_if(cut_between(items[begin + i], items[begin + i + 1], tag), d[i]);
            }
        }
        std::fill(d.begin() + static_cast<std::ptrdiff_t>(n), d.end(), 0.0);
        // l r is least at an end of the block. Most blocks are below the best one by that bound already.
        const double least = std::min(left * (sides.weight - left), last * (sides.weight - last));
        const double bound = widest_of_block(d.data()) * (sides.weight / least) * (1 + 1e-14);
        return bound > most ? highest_of_block(d.data(), left, sides.weight) : bound;
    }

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
// Let a response be y = low + (q + 1/2 + e) step, where q is its tag, the low `bits` of a rank, and |e| <= 1/2. Then
// the centred sum left of a cut is step (S + E), where S is the sum of q - mean(q) over the l rows on the left, and E
// that of e - mean(e), so that |E| <= l r / W. The square root of the value is |S + E| step sqrt(W / (l r)), at most
//     step (|S| sqrt(W / (l r)) + sqrt(W) / 2).
// S is known at the ends of groups of rows, and between them no larger than at one of these and half the way that S
// goes from one to the other, less their distance; l r is least at an end of a group. `total`: the sum of the tags.
double bound_by_tags(std::span<const Item<std::uint32_t>> items, std::int64_t total, int bits, double step);

}  // namespace boxwood
