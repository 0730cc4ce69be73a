// The best rooted subtree of every number of leaves.
//
// f(t, k), the least risk of a subtree at node t with exactly k leaves, is R(t) for k = 1, and otherwise the best way
// to deal k leaves out to the children; children are taken in one after the other (Bohanec and Bratko, Trading
// accuracy for simplicity in decision trees, Machine Learning 15, 1994). Two leaves of the tree meet in one product
// only, at the node where their paths part, so all products together cost O(leaves^2), or O(leaves * most) where no
// more than `most` leaves are of interest. Choices are kept, risks of children are dropped: memory is that of the
// leaves below each node, summed over the nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pruning/shape.hpp"

namespace boxwood::pruning {

class BestSizes {
  public:
    BestSizes(const Shape& shape, std::span<const double> risk, std::size_t most);

    // The least risk of a tree of 1, 2, ... leaves; infinite where no rooted subtree has so many.
    const std::vector<double>& risks() const { return risks_; }
    // The inner nodes that the best tree of that many leaves makes leaves (some may lie below others).
    std::vector<std::uint8_t> collapsed(std::size_t n_leaves) const;

  private:
    Shape shape_;
    std::vector<double> risks_;
    // For every node but the first of its family: how many of k leaves it gets, the rest going to those before it.
    std::vector<std::vector<std::int32_t>> given_;
};

}  // namespace boxwood::pruning
