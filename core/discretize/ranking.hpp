// All thresholds of a table, best first: the Minimum Impurity Discretizer.
//
// Each numeric column is cut again and again, every time at the boundary point
// that lowers its impurity most given the cuts made before; the columns' lists
// are then merged by comparing their heads (Algorithm 4 of the thesis that
// introduced MID). The published form tries every remaining boundary point at
// every step, which is quadratic. But a cut changes nothing outside the
// interval that it divides, so it is enough to keep, in a heap, each interval
// with its own best cut: taking the best one off, and scanning its two halves,
// gives the same list. A scan is at worst linear in its interval, so a column of
// B boundary points costs O(B log B) when cuts fall in the middle, and somewhat
// more in noise, where they fall near the ends. Where each cut takes off a
// little at an end, bounds keep scans short (discretize/scan.hpp): for strictly
// alternating classes about B^1.5.
//
// What differs from the published form: an interval's impurity is weighted by
// its share of the rows (the caches there hold it unweighted, against the
// formulas in the text); rows without a value are an interval of their own that
// is never cut, so that gains are shares of the same whole in every column;
// gains are whole multiples of one small unit (discretize/gain.hpp), and equal
// ones go to the lowest column, then the lowest threshold; and after the last
// boundary point the list may go on with the other value changes, gain 0, in
// the order of column and threshold.
//
// Within one column gains need not fall: a cut can make a better one possible.
// The merge keeps each column's own order.
//
// Stopping. Fayyad and Irani's test (1993) accepts the cut of an interval of
// weight N into two if
//     gain > (log2(N - 1) + log2(3^k - 2) - k E + k1 E1 + k2 E2) / N,
// with E the entropies and k the numbers of classes of the interval and its
// parts, whatever the criterion. Weights count as repetitions; below N = 2,
// where log2(N - 1) would fall without bound, it counts as 0.
//   kList      a column's list ends at its first refused cut
//   kInterval  an interval whose cut is refused stays whole, the others go on:
//              the set of cuts is that of the recursive MDLP, best first
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "discretize/groups.hpp"

namespace boxwood::discretize {

enum class Refusal { kIgnored, kList, kInterval };

// A call can be ended by the monitor at any time. What it has ranked by then is
// handed back, and is what the columns done so far, and the first cuts of those
// begun, would give; `stopped` says so.
struct RankingOptions {
    Criterion criterion = Criterion::kEntropy;  // Gini or entropy
    int scale = 0;                              // gains are multiples of 2^(scale - 40)
    Refusal refusal = Refusal::kIgnored;
    bool others = false;  // go on with the value changes that are no boundary points
    std::size_t limit = std::numeric_limits<std::size_t>::max();
    std::size_t n_threads = 1;  // share the columns; the ranking does not depend on their number
    bool hasty = false;         // the monitor is to be asked often, at some cost
};

struct Ranking {
    std::vector<std::int32_t> feature;
    std::vector<double> threshold, gain;
    std::size_t n_cuts = 0;  // value changes in all columns, ranked or not
    bool stopped = false;    // the monitor ended it; n_cuts is of the columns begun
};

// All columns are numeric. Throws std::domain_error if a number is infinite.
Ranking rank_thresholds(std::span<const Column> columns, const Labels& labels, const RankingOptions& options,
                        Monitor& monitor);

// Fayyad and Irani's test for cutting an interval with class weights `left` + `right`.
bool is_worth_describing(std::span<const double> left, std::span<const double> right);

}  // namespace boxwood::discretize
