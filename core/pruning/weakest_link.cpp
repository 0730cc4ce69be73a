#include "pruning/weakest_link.hpp"

#include <queue>
#include <tuple>

namespace boxwood::pruning {
namespace {

// The nodes in the order of a depth-first walk, branch 0 first.
std::vector<std::int32_t> depth_first(const Shape& shape) {
    std::vector<std::int32_t> order, waiting{0};
    order.reserve(shape.n_nodes());
    while (!waiting.empty()) {
        const auto node = static_cast<std::size_t>(waiting.back());
        waiting.pop_back();
        order.push_back(static_cast<std::int32_t>(node));
        if (shape.is_leaf(node)) continue;
        for (std::size_t child = shape.end(node); child-- > shape.begin(node);) {
            waiting.push_back(static_cast<std::int32_t>(child));
        }
    }
    return order;
}

}  // namespace

Links weakest_links(const Shape& shape, std::span<const double> risk) {
    const std::size_t n = shape.n_nodes();
    const std::vector<std::int32_t> parent = shape.parents(), order = depth_first(shape);
    std::vector<std::int32_t> place(n), n_leaves(n, 0);
    std::vector<double> branch(n, 0.0);
    for (std::size_t at = 0; at < n; ++at) {
        const auto node = static_cast<std::size_t>(order[at]);
        place[node] = static_cast<std::int32_t>(at);
        if (!shape.is_leaf(node)) continue;
        branch[node] = risk[node];
        n_leaves[node] = 1;
        for (std::int32_t above = parent[node]; above >= 0; above = parent[static_cast<std::size_t>(above)]) {
            branch[static_cast<std::size_t>(above)] += risk[node];
            ++n_leaves[static_cast<std::size_t>(above)];
        }
    }

    const auto price = [&](std::size_t node) { return (risk[node] - branch[node]) / (n_leaves[node] - 1); };
    using Entry = std::tuple<double, std::int32_t>;  // g, place in the walk
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
    std::vector<double> key(n, 0.0);
    std::vector<std::uint8_t> inner(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (shape.is_leaf(i)) continue;
        inner[i] = 1;
        heap.emplace(key[i] = price(i), place[i]);
    }

    Links out;
    out.risk.push_back(branch[0]);
    std::vector<std::int32_t> below;
    while (!heap.empty()) {
        const auto [g, at] = heap.top();
        heap.pop();
        const auto node = static_cast<std::size_t>(order[static_cast<std::size_t>(at)]);
        if (!inner[node] || g != key[node]) continue;
        const double now = price(node);
        if (now > g) {
            heap.emplace(key[node] = now, at);
            continue;
        }
        // The node becomes a leaf, and all below it are gone.
        below.assign(1, static_cast<std::int32_t>(node));
        while (!below.empty()) {
            const auto gone = static_cast<std::size_t>(below.back());
            below.pop_back();
            if (!inner[gone]) continue;
            inner[gone] = 0;
            for (std::size_t child = shape.begin(gone); child < shape.end(gone); ++child) {
                if (inner[child]) below.push_back(static_cast<std::int32_t>(child));
            }
        }
        const double rise = risk[node] - branch[node];
        const std::int32_t lost = n_leaves[node] - 1;
        branch[node] = risk[node];
        for (std::int32_t above = parent[node]; above >= 0; above = parent[static_cast<std::size_t>(above)]) {
            const auto ancestor = static_cast<std::size_t>(above);
            branch[ancestor] += rise;
            n_leaves[ancestor] -= lost;
            // Only rounding makes it fall.
            if (const double changed = price(ancestor); changed < key[ancestor]) {
                heap.emplace(key[ancestor] = changed, place[ancestor]);
            }
        }
        out.node.push_back(static_cast<std::int32_t>(node));
        out.alpha.push_back(g);
        out.risk.push_back(branch[0]);
    }
    return out;
}

}  // namespace boxwood::pruning
