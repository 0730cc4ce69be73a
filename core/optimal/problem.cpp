#include "optimal/problem.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace boxwood::optimal {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 53;

// The first cell that is neither 0 nor 1, or n.
std::size_t first_wrong(const std::uint8_t* cells, std::size_t n) {
    constexpr std::size_t kBlock = 4096;
    for (std::size_t begin = 0; begin < n; begin += kBlock) {
        const std::size_t end = std::min(n, begin + kBlock);
        std::uint8_t all = 0;
        for (std::size_t cell = begin; cell < end; ++cell) all |= cells[cell];
        if (all > 1)
            return static_cast<std::size_t>(
                std::find_if(cells + begin, cells + end, [](std::uint8_t cell) { return cell > 1; }) - cells);
    }
    return n;
}

void check_rows(const Problem& problem) {
    if (problem.n_rows == 0) throw std::invalid_argument("no rows");
    if (problem.n_rows >= (std::size_t{1} << 31)) throw std::invalid_argument("more than 2,147,483,647 rows");
    if (problem.n_classes == 0) throw std::invalid_argument("no classes");
    if (problem.target.size() != problem.n_rows) throw std::invalid_argument("target and rows differ in number");
    for (const std::int32_t label : problem.target) {
        if (label < 0 || static_cast<std::size_t>(label) >= problem.n_classes) {
            throw std::invalid_argument("a class is out of range");
        }
    }
    const std::size_t n_cells = problem.n_rows * problem.n_features;
    if (const std::size_t cell = first_wrong(problem.cells, n_cells); cell < n_cells) {
        throw std::invalid_argument("column " + std::to_string(cell % problem.n_features) + " holds " +
                                    std::to_string(problem.cells[cell]) + " in row " +
                                    std::to_string(cell / problem.n_features) + ": features must be 0 or 1");
    }
}

// The largest objective there can be, in a type that cannot overflow.
void check_size(const Problem& problem, const Limits& limits) {
    long double weight = 0, worst = 1;
    for (const std::int64_t w : problem.weights) weight += static_cast<long double>(w);
    if (problem.weights.empty()) weight = static_cast<long double>(problem.n_rows);
    for (const std::int64_t c : problem.costs) worst = std::max(worst, static_cast<long double>(c));
    const long double leaves = 2;  // a leaf that costs more than all rows is never paid twice
    if (weight * worst * static_cast<long double>(limits.weight_unit) +
            leaves * static_cast<long double>(limits.leaf_cost) >=
        static_cast<long double>(kLargest)) {
        throw std::invalid_argument("the objective can exceed 2**53: make weights, costs or the leaf cost smaller");
    }
}

}  // namespace

void check(const Problem& problem, const Limits& limits) {
    check_rows(problem);
    if (!problem.weights.empty() && problem.weights.size() != problem.n_rows) {
        throw std::invalid_argument("weights and rows differ in number");
    }
    for (const std::int64_t weight : problem.weights) {
        if (weight <= 0) throw std::invalid_argument("weights must be positive whole numbers");
    }
    if (!problem.costs.empty() && problem.costs.size() != problem.n_classes * problem.n_classes) {
        throw std::invalid_argument("the cost matrix must have one row and one column per class");
    }
    for (const std::int64_t cost : problem.costs) {
        if (cost < 0) throw std::invalid_argument("costs must not be negative");
    }
    if (limits.max_depth < 0) throw std::invalid_argument("max_depth must not be negative");
    if (limits.max_leaves < 0) throw std::invalid_argument("max_leaves must not be negative");
    if (limits.leaf_cost < 0) throw std::invalid_argument("leaf_cost must not be negative");
    if (limits.weight_unit < 1) throw std::invalid_argument("weight_unit must be positive");
    check_size(problem, limits);
}

std::size_t first_difference(const Problem& problem, const Problem& before) {
    std::size_t first = before.n_features;  // features from here on need not be looked at
    for (std::size_t row = 0; row < before.n_rows; ++row) {
        const std::uint8_t *here = problem.cells + row * problem.n_features,
                           *there = before.cells + row * before.n_features;
        if (std::memcmp(here, there, first) == 0) continue;
        first = static_cast<std::size_t>(std::mismatch(here, here + first, there).first - here);
    }
    return first;
}

std::size_t leaf_of(const Problem& problem, const Sketch& tree, std::size_t row) {
    const std::uint8_t* cells = problem.cells + row * problem.n_features;
    std::size_t at = 0;
    while (tree[at].feature >= 0) {
        at = static_cast<std::size_t>(cells[tree[at].feature] != 0 ? tree[at].right : tree[at].left);
    }
    return at;
}

Cost evaluate(const Problem& problem, const Limits& limits, const Sketch& tree) {
    struct Leaf {
        Cost cost = 0;
        std::int64_t rows = 0, weight = 0;
    };
    std::vector<Leaf> leaves(tree.size());
    for (std::size_t row = 0; row < problem.n_rows; ++row) {
        const std::size_t at = leaf_of(problem, tree, row);
        const auto truth = static_cast<std::size_t>(problem.target[row]);
        const auto answer = static_cast<std::size_t>(tree[at].answer);
        const std::int64_t weight = problem.weights.empty() ? 1 : problem.weights[row];
        const Cost cost =
            problem.costs.empty() ? Cost{truth != answer} : problem.costs[truth * problem.n_classes + answer];
        leaves[at].cost += weight * cost;
        leaves[at].rows += 1;
        leaves[at].weight += weight;
    }
    Cost total = 0;
    std::int64_t n_leaves = 0;
    for (std::size_t at = 0; at < tree.size(); ++at) {
        if (tree[at].feature >= 0) continue;
        ++n_leaves;
        const bool lone = tree.size() == 1;  // a tree of one leaf is always allowed
        if (!lone &&
            (leaves[at].rows < std::max<std::int64_t>(1, limits.min_rows) || leaves[at].weight < limits.min_weight)) {
            return kInfinite;
        }
        total = std::min(kInfinite, total + limits.weight_unit * leaves[at].cost + limits.leaf_cost);
    }
    if (limits.max_leaves > 0 && n_leaves > limits.max_leaves) return kInfinite;
    std::vector<int> depth(tree.size(), 0);
    for (std::size_t at = 0; at < tree.size(); ++at) {
        if (tree[at].feature < 0) continue;
        for (const std::int32_t child : {tree[at].left, tree[at].right}) {
            depth[static_cast<std::size_t>(child)] = depth[at] + 1;
            if (depth[at] + 1 > limits.max_depth) return kInfinite;
        }
    }
    return total;
}

}  // namespace boxwood::optimal
