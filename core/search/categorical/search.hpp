// The best two-way grouping of the values of a categorical column at a node.
//
// "auto": two classes present, prefixes of the class-share order (order.hpp);
// more classes and at most 10 values, every subset; otherwise prefixes of the
// principal-direction order. Rows without a value are tried on both sides, as
// in numeric.hpp. The judges weigh subsets one by one; prefixes go through a
// Balance.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/groups.hpp"
#include "search/categorical/order.hpp"
#include "search/found.hpp"
#include "search/numeric.hpp"

namespace boxwood {

inline constexpr std::size_t kMostExhaustive = 10;

enum class Grouping : std::uint8_t { kPrefix, kSubset, kAlone };

struct GroupSearch {
    Grouping grouping = Grouping::kPrefix;
    std::vector<std::uint32_t> order;  // kPrefix: left are the first found.at of these
    std::size_t only_prefix = 0;       // the one prefix to be looked at; 0: all
    // kAlone: left is the one group found.at. Of two groups, the first alone is the second alone.
    std::uint32_t alone_begin = 0, alone_end = 0;
};

// A random bipartition, as the one prefix of an order that is looked at. `bit(code)` draws for a category.
template <class Bit>
void draw_grouping(GroupSearch& search, const Groups& groups, Bit bit) {
    search.grouping = Grouping::kPrefix;
    search.order.clear();
    std::vector<std::uint32_t> right;
    for (std::uint32_t g = 0; g < groups.size(); ++g) (bit(groups.code[g]) ? search.order : right).push_back(g);
    if (search.order.empty() || right.empty()) {  // the lowest category changes sides
        auto& all = right.empty() ? search.order : right;
        auto& none = right.empty() ? right : search.order;
        none.push_back(all.front());
        all.erase(all.begin());
    }
    search.only_prefix = search.order.size();
    search.order.insert(search.order.end(), right.begin(), right.end());
}

// How the groups will be searched; fills the order of a prefix search.
inline void prepare(GroupSearch& search, const Groups& groups, std::span<const double> total) {
    std::size_t present = 0;
    std::uint16_t last = 0;
    for (std::size_t k = 0; k < total.size(); ++k) {
        if (total[k] > 0) {
            ++present;
            last = static_cast<std::uint16_t>(k);
        }
    }
    search.only_prefix = 0;
    search.grouping = present > 2 && groups.size() <= kMostExhaustive ? Grouping::kSubset : Grouping::kPrefix;
    if (search.grouping == Grouping::kSubset) return;
    if (present <= 2) {
        order_by_share(groups, last, search.order);
    } else {
        order_by_principal_direction(groups, total.size(), search.order);
    }
}

// found.at: number of groups in the left prefix.
template <class Balance>
void scan_prefixes(Balance& balance, const Groups& groups, const GroupSearch& search, const Population& population,
                   const Terms& terms, Found& found) {
    balance.start(population.sides());
    const double offset = terms.constant - population.worth;
    double left = population.base_weight;
    std::int64_t rows = population.base_rows;
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
        const std::size_t g = search.order[i];
        for (std::size_t at = groups.start[g]; at < groups.start[g + 1]; ++at) {
            balance.move_many(groups.label[at], groups.count[at]);
        }
        left += groups.weight[g];
        rows += groups.rows[g];
        if (!terms.minimum.allows(rows, left) ||
            !terms.minimum.allows(population.rows - rows, population.weight - left)) {
            continue;
        }
        found.offer(balance.worth() + offset, terms.slack, static_cast<std::uint32_t>(i + 1), terms.side);
    }
}

// found.at: bit g tells whether group g is left; the last group is always right.
// Subsets are visited in Gray-code order: one group changes sides at each step.
inline void scan_subsets(const Measure& measure, const Groups& groups, const Population& population, const Terms& terms,
                         Found& found) {
    if (groups.size() < 2) return;
    std::vector<double> left(population.base.begin(), population.base.end()), right(left.size());
    double left_weight = population.base_weight;
    std::int64_t left_rows = population.base_rows;
    std::uint32_t subset = 0;
    const std::uint32_t n_subsets = std::uint32_t{1} << (groups.size() - 1);
    for (std::uint32_t step = 1; step < n_subsets; ++step) {
        const auto g = static_cast<std::size_t>(std::countr_zero(step));
        subset ^= std::uint32_t{1} << g;
        const double sign = (subset >> g & 1) != 0 ? 1 : -1;
        for (std::size_t at = groups.start[g]; at < groups.start[g + 1]; ++at) {
            left[groups.label[at]] += sign * groups.count[at];
        }
        left_weight += sign * groups.weight[g];
        left_rows += static_cast<std::int64_t>(sign) * groups.rows[g];
        const double right_weight = population.weight - left_weight;
        if (!terms.minimum.allows(left_rows, left_weight) ||
            !terms.minimum.allows(population.rows - left_rows, right_weight)) {
            continue;
        }
        for (std::size_t k = 0; k < left.size(); ++k) right[k] = population.total[k] - left[k];
        Branches branches{2, {left, right, population.aside}, {left_weight, right_weight, 0}};
        double value = 0;
        if (measure.is_score()) {
            branches.n = population.aside.empty() ? 2 : 3;
            branches.weight[2] = population.node_weight - population.weight;
            value = population.node_weight * merit(measure, branches, population.node, population.node_weight);
        } else {
            value = population.weight * gain(measure, branches, population.total, population.weight);
        }
        found.offer(value + terms.constant, terms.slack, subset, terms.side);
    }
}

}  // namespace boxwood
