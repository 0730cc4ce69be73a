// Cost-complexity pruning: the weakest links of a tree, one after the other.
//
// A branch at node t with L leaves is worth its size up to the price alpha of a leaf at which
// R(t) + alpha = R(branch) + alpha L, that is g(t) = (R(t) - R(branch)) / (L - 1) (Breiman, Friedman, Olshen and Stone
// 1984, section 3.3). The node of the least g is the weakest link; it becomes a leaf, its ancestors' g change, and so
// on until only the root is left.
//
// A heap holds the g of every inner node. Collapsing the weakest link never lowers the g of an ancestor (but for the
// last digit), so the heap is not told: a key that turns out to be too low is put back with the true one. Each
// collapse costs one walk to the root. O(n log n + leaves * depth); the obvious way looks at all nodes every time.
//
// Sums are taken in the order of a depth-first walk, and of equal g the first node in that order goes first, which
// makes every step that of scikit-learn's `cost_complexity_pruning_path`, to the last bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pruning/shape.hpp"

namespace boxwood::pruning {

struct Links {
    std::vector<std::int32_t> node;  // in the order in which they become leaves
    std::vector<double> alpha;       // the price at which each does
    std::vector<double> risk;        // of the whole tree after that; one more than nodes, the first is the full tree's
};
Links weakest_links(const Shape& shape, std::span<const double> risk);

}  // namespace boxwood::pruning
