#include "search/categorical/max_cut/greedy.hpp"

#include <algorithm>
#include <numeric>

namespace boxwood {

std::vector<std::uint8_t> greedy_cut(const Graph& graph) {
    const std::size_t n = graph.n;
    std::vector<double> degree(n), toward(n, 0.0);  // toward[i]: weight of edges to side 1, less that to side 0
    for (std::size_t i = 0; i < n; ++i) degree[i] = std::accumulate(graph.row(i), graph.row(i) + n, 0.0);
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return degree[a] > degree[b]; });
    std::vector<std::uint8_t> side(n, 0);
    for (const std::uint32_t i : order) {
        side[i] = toward[i] < 0 ? 1 : 0;
        const double sign = side[i] != 0 ? 1 : -1;
        const double* row = graph.row(i);
        for (std::size_t j = 0; j < n; ++j) toward[j] += sign * row[j];
    }
    return side;
}

}  // namespace boxwood
