// The shape of a tree, as pruning sees it: nodes in breadth-first order, families contiguous.
//
// A parent comes before its children, so a loop from the last node to the first one meets every child before its
// parent: bottom-up passes need neither recursion nor levels, however deep the tree is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace boxwood::pruning {

struct Shape {
    std::span<const std::int32_t> first_child;  // -1: a leaf
    std::span<const std::int32_t> n_children;   // 0: a leaf

    std::size_t n_nodes() const { return n_children.size(); }
    bool is_leaf(std::size_t node) const { return n_children[node] == 0; }
    std::size_t begin(std::size_t node) const { return static_cast<std::size_t>(first_child[node]); }
    std::size_t end(std::size_t node) const { return begin(node) + static_cast<std::size_t>(n_children[node]); }

    // Throws std::invalid_argument unless families lie one after the other behind the root.
    void check() const {
        if (first_child.size() != n_nodes() || n_nodes() == 0) throw std::invalid_argument("not the shape of a tree");
        std::size_t next = 1;
        for (std::size_t i = 0; i < n_nodes(); ++i) {
            if (n_children[i] == 0) continue;
            if (n_children[i] < 0 || first_child[i] < 0 || begin(i) != next || next <= i) {
                throw std::invalid_argument("not the shape of a tree");
            }
            next = end(i);
        }
        if (next != n_nodes()) throw std::invalid_argument("not the shape of a tree");
    }

    std::vector<std::int32_t> parents() const {
        std::vector<std::int32_t> parent(n_nodes(), -1);
        for (std::size_t i = 0; i < n_nodes(); ++i) {
            if (is_leaf(i)) continue;
            for (std::size_t child = begin(i); child < end(i); ++child) parent[child] = static_cast<std::int32_t>(i);
        }
        return parent;
    }
};

}  // namespace boxwood::pruning
