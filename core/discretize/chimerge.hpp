// ChiMerge: neighbouring intervals are joined while their classes look alike.
//
// Every run of a column (discretize/groups.hpp) starts as an interval of its
// own. The two neighbours with the smallest chi-square statistic
//     sum_k (a_k n_b - b_k n_a)^2 / (n_a n_b (a_k + b_k)),
// classes in neither interval left out, are joined, over and over, until the
// smallest statistic has reached the given threshold and there are no more than
// the allowed intervals (Kerber 1992). The statistic of two pure neighbours of
// one class is 0, so starting from runs rather than from values saves work and
// changes nothing.
//
// A heap holds the pairs; a join makes two new ones, and pairs that are out of
// date are recognised by the stamps of their intervals. O(B (log B + K)) for B
// runs and K classes. Statistics are compared as multiples of 2^-30, so that
// equal ones are equal; of equal ones the lowest pair is joined first.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "discretize/ranking.hpp"

namespace boxwood::discretize {

struct ChiMergeOptions {
    double least = 0;  // neighbours with a smaller statistic are joined
    std::size_t most_intervals = std::numeric_limits<std::size_t>::max();
};

// The cuts that are left, by falling statistic (`gain`), then column, then threshold.
Ranking merge_alike(std::span<const Column> columns, const Labels& labels, const ChiMergeOptions& options,
                    Monitor& monitor);

}  // namespace boxwood::discretize
