// The greedy grower: a table in, a tree out.
#pragma once

#include <cstdint>
#include <span>

#include "data/column.hpp"
#include "grow/options.hpp"
#include "grow/output.hpp"
#include "threads/monitor.hpp"

namespace boxwood {

struct Problem {
    std::span<const Column> columns;
    std::size_t n_rows = 0;
    std::span<const std::int32_t> target;  // class of each row
    std::size_t n_classes = 0;
    std::span<const double> weights;  // empty: all 1; else positive, with exact sums
};

// Throw std::invalid_argument if the problem is not one, or the options do not fit it.
void check(const Problem& problem, const Options& options);
void check_monotonic(std::span<const Column> columns, const Options& options);

GrownTree grow(const Problem& problem, const Options& options, Monitor& monitor);

}  // namespace boxwood
