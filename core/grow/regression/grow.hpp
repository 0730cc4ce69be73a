// The greedy grower for a target of numbers: a table in, a tree out.
//
// The tree's `sums` hold four numbers per node: the sums of w, w y and w y^2, and
// the answer.
#pragma once

#include <cstddef>
#include <span>

#include "data/column.hpp"
#include "grow/options.hpp"
#include "grow/output.hpp"
#include "threads/monitor.hpp"

namespace boxwood {

struct RegressionProblem {
    std::span<const Column> columns;
    std::size_t n_rows = 0;
    std::span<const double> target;
    std::span<const double> weights;  // empty: all 1; else positive, with exact sums
};

// Throws std::invalid_argument if the problem is not one, or does not fit the options.
void check(const RegressionProblem& problem, const Options& options);

GrownTree grow_regression(const RegressionProblem& problem, const Options& options, Monitor& monitor);

}  // namespace boxwood
