// Error-based pruning with subtree raising, on the rows that a tree was grown on.
//
// From the leaves to the root, a node becomes a leaf, stays as it is, or is replaced by its largest branch, which then
// gets all rows of the node and is pruned once more (Quinlan 1993, section 4.1; J48 does it in the same order):
//
//     leaf   if leaf <= subtree + slack and leaf <= raised + slack
//     raise  else if raised <= subtree + slack
//
// where `raised` is the estimate of the branch on all rows of the node.
//
// How it is fast. Only the rows of the other branches have to find their way through the largest one, and a row is in
// a branch that is not the largest at most log2(n) times on its way. The estimate of a leaf never falls as rows come
// in, so the walk ends as soon as the branch has lost; and a node that is no worse as a leaf than its branch is on
// the branch's own rows needs no walk at all.
//
// Rows that are spread (their value is missing at a split) are divided in proportion to the rows that the split knows
// about, which raising changes; where a tree spreads rows, all rows of the node are sent down again. Weights are
// divided into multiples of a power of two, so that every sum is exact.
//
// Nothing recurses. A row that would stop at an inner node, or be refused, forbids to raise the branch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/column.hpp"
#include "pruning/shape.hpp"
#include "pruning/upper_error.hpp"
#include "tree/router.hpp"

namespace boxwood::pruning {

struct RaisingRows {
    std::span<const Column> columns;
    std::span<const std::int32_t> target;
    std::span<const double> weights;     // empty: all 1
    std::span<const std::int32_t> leaf;  // where each row ends, unless rows are spread
    bool spreads;
};

struct RaisingRule {
    UpperError bound;
    double slack;
    std::size_t n_classes;
    std::span<const double> size;    // what a unit of weight of each class counts as
    std::span<const double> losses;  // [truth * n_classes + answer], in the same unit; empty: 1 per error
    double tie;                      // branches whose weights differ by less are equally heavy
    bool last_of_ties;               // which of them is the largest
};

struct Raised {
    std::vector<std::int32_t> source;   // per node, breadth-first: the node whose split it has, or had
    std::vector<std::uint8_t> leaf;     // whether it is a leaf now
    std::vector<std::uint8_t> changed;  // whether its rows are other ones than those of its source
    std::vector<double> counts;         // weight per class
    std::vector<std::int64_t> n_rows;
    std::int64_t n_raised = 0;
};

// Throws std::invalid_argument if the rows are not those of the tree, as `counts` (weight per class and node) tells.
Raised prune_and_raise(const Shape& shape, const Router& router, const RaisingRows& rows, const RaisingRule& rule,
                       std::span<const double> counts, std::span<const std::int64_t> n_rows);

}  // namespace boxwood::pruning
