#include "pruning/bottom_up.hpp"

#include <algorithm>
#include <limits>

namespace boxwood::pruning {

void add_up(const Shape& shape, std::size_t width, double* table) {
    for (std::size_t i = shape.n_nodes(); i-- > 0;) {
        if (shape.is_leaf(i)) continue;
        double* here = table + i * width;
        for (std::size_t child = shape.begin(i); child < shape.end(i); ++child) {
            const double* there = table + child * width;
            for (std::size_t k = 0; k < width; ++k) here[k] += there[k];
        }
    }
}

Extremes extremes(const Shape& shape, std::span<const double> value, std::span<const std::uint8_t> takes_part) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::size_t n = shape.n_nodes();
    Extremes out{std::vector<double>(n, kInfinity), std::vector<double>(n, -kInfinity)};
    for (std::size_t i = n; i-- > 0;) {
        if (takes_part[i]) out.least[i] = out.largest[i] = value[i];
        if (shape.is_leaf(i)) continue;
        for (std::size_t child = shape.begin(i); child < shape.end(i); ++child) {
            out.least[i] = std::min(out.least[i], out.least[child]);
            out.largest[i] = std::max(out.largest[i], out.largest[child]);
        }
    }
    return out;
}

Cheapest cheapest(const Shape& shape, std::span<const double> leaf, std::span<const double> own, double slack) {
    const std::size_t n = shape.n_nodes();
    Cheapest out{std::vector<std::uint8_t>(n, 0), std::vector<double>(leaf.begin(), leaf.end())};
    for (std::size_t i = n; i-- > 0;) {
        if (shape.is_leaf(i)) continue;
        double subtree = own[i];
        for (std::size_t child = shape.begin(i); child < shape.end(i); ++child) subtree += out.cost[child];
        if (leaf[i] <= subtree + slack) {
            out.collapsed[i] = 1;
        } else {
            out.cost[i] = subtree;
        }
    }
    return out;
}

}  // namespace boxwood::pruning
