// The problem of an optimal tree on binary features, and its answer.
//
// Rows with 0/1 features, a class and a whole-number weight each. A tree of at
// most `max_depth` levels of splits and `max_leaves` leaves sends every row to
// a leaf; every leaf answers with one class. We look for the tree of least
//
//     weight_unit * sum over rows of weight * cost[truth][answer]
//         + leaf_cost * number of leaves,
//
// where every leaf holds at least `min_rows` rows and `min_weight` weight.
// Without a cost matrix, a wrong answer costs 1 and a right one nothing. All
// costs are whole numbers, so that a gap below one is a proof; `weight_unit`
// makes room for a leaf cost that is a fraction of a row's weight, without
// making the weights themselves any larger (the kernels count weights, and are
// faster the smaller these are).
//
// Branch 0 is the left one: the feature is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace boxwood::optimal {

using Cost = std::int64_t;

// More than any objective; two of them still add up without overflow.
inline constexpr Cost kInfinite = std::numeric_limits<Cost>::max() / 4;

struct Problem {
    const std::uint8_t* cells = nullptr;  // n_rows x n_features, row by row, 0 or 1
    std::size_t n_rows = 0, n_features = 0;
    std::span<const std::int32_t> target;  // class of each row
    std::size_t n_classes = 0;
    std::span<const std::int64_t> weights;  // positive; empty: all 1
    std::span<const std::int64_t> costs;    // n_classes x n_classes, truth by truth; empty: 0 and 1
};

struct Limits {
    int max_depth = 3;
    std::int64_t max_leaves = 0;  // 0: as many as the depth allows
    std::int64_t min_rows = 1;
    std::int64_t min_weight = 0;
    Cost leaf_cost = 0;
    Cost weight_unit = 1;

    bool operator==(const Limits&) const = default;
};

// A node of a tree as the solvers write it: in preorder, the root first.
struct Node {
    std::int32_t feature = -1;           // -1: a leaf
    std::int32_t left = -1, right = -1;  // places of the children
    std::int32_t answer = -1;            // class; leaves only
};

using Sketch = std::vector<Node>;

// Throws std::invalid_argument if the problem or the limits make no sense.
void check(const Problem& problem, const Limits& limits);

// The first feature of `before` that is not the same one here, or its number of features; both have as many rows, and
// this problem has at least as many features.
std::size_t first_difference(const Problem& problem, const Problem& before);

// The place of the leaf that a row comes to.
std::size_t leaf_of(const Problem& problem, const Sketch& tree, std::size_t row);

// What the tree costs on these rows, by routing every one of them; kInfinite if the tree breaks a limit.
Cost evaluate(const Problem& problem, const Limits& limits, const Sketch& tree);

}  // namespace boxwood::optimal
