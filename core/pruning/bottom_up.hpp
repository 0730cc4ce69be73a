// Passes from the leaves to the root, each in one loop over the nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pruning/shape.hpp"

namespace boxwood::pruning {

// Adds to every row of a table (one per node, `width` numbers each) the rows of the node's children, bottom-up: what
// stood at the leaves becomes the sum over the leaves below each node.
void add_up(const Shape& shape, std::size_t width, double* table);

// The least and the largest value below each node, over the nodes that take part (the node itself included).
struct Extremes {
    std::vector<double> least, largest;
};
Extremes extremes(const Shape& shape, std::span<const double> value, std::span<const std::uint8_t> takes_part);

// The cheapest rooted subtree, where a node costs `leaf` as a leaf, and `own` plus its children otherwise. A node
// becomes a leaf if leaf <= subtree + slack: with slack 0, ties prune. One pass (Quinlan's reduced-error pruning;
// Niblett and Bratko's, Mehta's and Breiman's single-alpha pruning have the same form).
struct Cheapest {
    std::vector<std::uint8_t> collapsed;  // inner nodes that are better off as leaves (some below others)
    std::vector<double> cost;             // of the best subtree at each node
};
Cheapest cheapest(const Shape& shape, std::span<const double> leaf, std::span<const double> own, double slack);

}  // namespace boxwood::pruning
