// The greedy grower: a table in, a tree out.
//
// Large nodes are grown one after the other, with threads over features. Nodes
// that have become small are set apart; each is then a Sample of its own with
// 16-bit numbers, and the subtrees are handed to the threads one by one. Which
// thread grows which subtree makes no difference to the tree.
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

// Throws std::invalid_argument if the problem is not one.
void check(const Problem& problem);

GrownTree grow(const Problem& problem, const Options& options, Monitor& monitor);

}  // namespace boxwood
