// Growing and comparing trees of classes, for the tests of growth.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "check.hpp"
#include "grow/grow.hpp"
#include "tables.hpp"
#include "threads/team.hpp"
#include "tree/router.hpp"

namespace tables {

using namespace boxwood;

inline GrownTree grown(const Problem& problem, Options options, std::size_t n_threads = 1) {
    options.n_threads = n_threads;
    Monitor monitor(nullptr);
    return grow(problem, options, monitor);
}

// Routing the training rows gives every node the counts that growth wrote down.
inline void check_counts(const GrownTree& tree, const Table& table, bool weighted) {
    std::vector<std::int32_t> n_categories;
    for (const Column& column : table.columns) n_categories.push_back(column.n_categories);
    const Router router({n_categories, tree.kind, tree.feature, tree.threshold, tree.first_child, tree.n_children,
                         tree.missing_branch, tree.unknown_branch, tree.category_offset, tree.category_code,
                         tree.category_branch});
    std::vector<std::int32_t> at(table.n_rows);
    Team team(2);
    CHECK(router.apply(table.columns, table.n_rows, true, at.data(), team));
    std::vector<double> counts(tree.sums.size(), 0.0);
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        counts[static_cast<std::size_t>(at[row]) * table.n_classes + static_cast<std::size_t>(table.target[row])] +=
            weighted ? table.weights[row] : 1.0;
    }
    for (std::size_t i = tree.kind.size(); i-- > 0;) {
        for (std::int32_t branch = 0; branch < tree.n_children[i]; ++branch) {
            for (std::size_t k = 0; k < table.n_classes; ++k) {
                counts[i * table.n_classes + k] +=
                    counts[static_cast<std::size_t>(tree.first_child[i] + branch) * table.n_classes + k];
            }
        }
    }
    CHECK(same(counts, tree.sums));
}

}  // namespace tables
