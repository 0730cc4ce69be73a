#include "search/categorical/max_cut/weights.hpp"

#include <numeric>

namespace boxwood {
namespace {

std::vector<double> row_weights(const DenseTable& table) {
    std::vector<double> weight(table.n_values);
    for (std::size_t v = 0; v < table.n_values; ++v) {
        const auto row = table.row(v);
        weight[v] = std::accumulate(row.begin(), row.end(), 0.0);
    }
    return weight;
}

}  // namespace

Graph squared_gini_weights(const DenseTable& table, std::span<const double> mixing) {
    const std::size_t n = table.n_values, k = table.n_classes;
    Graph graph(n);
    const std::vector<double> weight = row_weights(table);
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0), scale = 2 / (total * total);
    std::vector<double> mixed(k);
    for (std::size_t i = 0; i < n; ++i) {
        const double* a = table.row(i).data();
        // What a row of each class costs beside this value's rows.
        for (std::size_t y = 0; y < k; ++y) {
            mixed[y] = weight[i] - a[y];
            if (mixing.empty()) continue;
            mixed[y] = 0;
            for (std::size_t x = 0; x < k; ++x) {
                if (x != y) mixed[y] += mixing[x * k + y] * a[x];
            }
        }
        for (std::size_t j = i + 1; j < n; ++j) {
            const double* b = table.row(j).data();
            double sum = 0;
            for (std::size_t y = 0; y < k; ++y) sum += mixed[y] * b[y];
            graph.set(i, j, scale * sum);
        }
    }
    return graph;
}

Graph chi2_weights(const DenseTable& table) {
    const std::size_t n = table.n_values, k = table.n_classes;
    Graph graph(n);
    const std::vector<double> weight = row_weights(table);
    for (std::size_t i = 0; i < n; ++i) {
        const double* a = table.row(i).data();
        for (std::size_t j = i + 1; j < n; ++j) {
            const double* b = table.row(j).data();
            double sum = 0;
            for (std::size_t c = 0; c < k; ++c) {
                const double both = a[c] + b[c], difference = a[c] * weight[j] - b[c] * weight[i];
                if (both > 0) sum += difference * difference / both;
            }
            graph.set(i, j, sum / (weight[i] * weight[j]) / static_cast<double>(n - 1));
        }
    }
    return graph;
}

double cut_weight(const Graph& graph, std::span<const std::uint8_t> side) {
    double sum = 0;
    for (std::size_t i = 0; i < graph.n; ++i) {
        for (std::size_t j = i + 1; j < graph.n; ++j) {
            if (side[i] != side[j]) sum += graph(i, j);
        }
    }
    return sum;
}

}  // namespace boxwood
