// Which groupings of the values of a categorical column are tried at a node.
//
// A search (method.hpp) gives either an order of the values whose prefixes are all
// tried, or one grouping, or the order to try every subset ("exact"):
//     order        ordered, pc, sliq_ext, largest_alone, list_scheduling
//     one grouping twoing, sliq, pc_ext, squared_gini, chi2 and their _sdp
//     "auto"       see auto.hpp
// It looks at the rows with a value. Those without are then tried on both sides
// of whatever it gives, as in numeric.hpp. A minimum leaf size is kept in mind by
// the searches that weigh prefixes. Where it forbids the one grouping that a
// search gives, the prefixes of the principal order (two classes: of the order by
// share) are tried in its place.
//
// All searches work on the canonical table (values.hpp), with values of equal
// class shares joined; but where a minimum or a constraint binds, or the impurity
// is not concave, exact, ordered and auto take the values apart. If all values
// have equal shares, nothing tells them apart: prefixes by falling weight are
// tried, since a split that gains nothing may prepare one that does.
// The judges weigh subsets one by one; prefixes go through a Balance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/division.hpp"
#include "search/categorical/exact.hpp"
#include "search/categorical/groups.hpp"
#include "search/categorical/method.hpp"
#include "search/categorical/values.hpp"
#include "search/found.hpp"
#include "search/numeric.hpp"

namespace boxwood {

enum class Grouping : std::uint8_t { kPrefix, kSubset, kAlone };

struct GroupSearch {
    static constexpr std::size_t kNoPrefix = std::numeric_limits<std::size_t>::max();

    Grouping grouping = Grouping::kPrefix;
    // kPrefix: left are the first found.at of these groups. kAlone: the order that they are looked at in; empty: by
    // code.
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> joined;  // joined[i]: no prefix ends after the i-th group of the order; empty: none
    std::size_t only_prefix = 0;       // the one prefix to be looked at; 0: all
    // kAlone: left is the one group found.at; tried are these places of the order. Of two groups, the first alone is
    // the second alone.
    std::uint32_t alone_begin = 0, alone_end = 0;
    std::vector<std::uint8_t> chosen;  // by group: a grouping that is tried after the prefixes; empty: none
    ValueTable values;                 // kSubset: found.at has a bit for each of these, set for left
    std::vector<double> share;

    std::uint32_t alone(std::uint32_t place) const { return order.empty() ? place : order[place]; }
    bool looks_at(std::size_t length) const {
        return (only_prefix == 0 || only_prefix == length) && (joined.empty() || joined[length - 1] == 0);
    }
    // The branch of each group under candidate `at`.
    void branches(std::uint32_t at, std::size_t n_groups, std::vector<std::uint8_t>& branch) const;
};

struct GroupRequest {
    CategorySplit method = CategorySplit::kAuto;
    Measure measure;
    Room room;
    bool concave = true;             // what the groupings are weighed by in the end
    bool constrained = false;        // by monotonic constraints
    std::span<const double> mixing;  // what mixing two classes costs, classes x classes; empty: 1
};

// A random bipartition, as the one prefix of an order that is looked at. `bit(code)` draws for a category.
template <class Bit>
void draw_grouping(GroupSearch& search, const Groups& groups, Bit bit) {
    search.grouping = Grouping::kPrefix;
    search.order.clear();
    search.joined.clear();
    search.chosen.clear();
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

// How the groups will be searched. `total`: class counts of the node.
void prepare(GroupSearch& search, const Groups& groups, std::span<const double> total, const GroupRequest& request);

// found.at: number of groups in the left prefix; the number of groups for the chosen grouping.
template <class Balance>
void scan_prefixes(Balance& balance, const Groups& groups, const GroupSearch& search, const Population& population,
                   const Terms& terms, Found& found) {
    if (search.only_prefix == GroupSearch::kNoPrefix) return;
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
        if (!search.looks_at(i + 1) || !terms.minimum.allows(rows, left) ||
            !terms.minimum.allows(population.rows - rows, population.weight - left)) {
            continue;
        }
        found.offer(balance.worth() + offset, terms.slack, static_cast<std::uint32_t>(i + 1), terms.side);
    }
}

inline void weigh_chosen(const Measure& measure, const Groups& groups, const GroupSearch& search,
                         const Population& population, const Terms& terms, Found& found) {
    if (search.chosen.empty()) return;
    std::vector<double> left(population.base.begin(), population.base.end()), right(left.size());
    double weight = population.base_weight;
    std::int64_t rows = population.base_rows;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (search.chosen[g] != 0) continue;
        for (std::size_t at = groups.start[g]; at < groups.start[g + 1]; ++at)
            left[groups.label[at]] += groups.count[at];
        weight += groups.weight[g];
        rows += groups.rows[g];
    }
    if (!terms.minimum.allows(rows, weight) ||
        !terms.minimum.allows(population.rows - rows, population.weight - weight)) {
        return;
    }
    for (std::size_t k = 0; k < left.size(); ++k) right[k] = population.total[k] - left[k];
    const double value = judged_value(measure, population, left, weight, right) + terms.constant;
    found.offer(value, terms.slack, static_cast<std::uint32_t>(groups.size()), terms.side);
}

}  // namespace boxwood
