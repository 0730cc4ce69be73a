// One value of a categorical column against all others: categorical_split="one_vs_rest".
//
// V values present at a node give V candidates (one, if V is 2: the other is its
// mirror image), each weighed from exact counts: O(values x classes) in all. The
// two-way trees of paper D and of one-hot tables consist of such splits; a one-hot
// table grows the same ones, a column at a time. Rows without a value are tried on
// both sides, as in numeric.hpp. At random cuts the value is drawn.
//
// Of equal candidates the first in the canonical order of values (values.hpp) is
// taken, so that neither names nor the order of rows decide; values of the very
// same counts go by code. The scan needs no order: it weighs values as they come
// and leaves ties to the judges, who look at them in that order. So values are
// sorted only where some tie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/groups.hpp"
#include "search/categorical/search.hpp"
#include "search/found.hpp"
#include "search/numeric.hpp"

namespace boxwood {

// One group against the others: each in turn, or only the one that `share` of [0, 1) draws.
inline void set_alone(GroupSearch& search, const Groups& groups, bool drawn, double share) {
    const std::size_t n = groups.size() <= 2 ? groups.size() / 2 : groups.size();
    search.grouping = Grouping::kAlone;
    search.alone_begin = drawn ? static_cast<std::uint32_t>(share * static_cast<double>(n)) : 0;
    search.alone_end = drawn && n > 0 ? search.alone_begin + 1 : static_cast<std::uint32_t>(n);
    search.order.clear();
}

// Puts the groups in canonical order.
inline void order_alone(GroupSearch& search, const Groups& groups, std::size_t n_classes) {
    search.values.fill(groups, n_classes, false);
    search.order = search.values.member;
}

// What a bipartition gains, times the weight, with these counts on its left. Fills `right`.
inline double weigh_sides(const Measure& measure, const Population& population, std::span<const double> left,
                          std::span<double> right, double left_weight) {
    for (std::size_t k = 0; k < left.size(); ++k) right[k] = population.total[k] - left[k];
    Branches branches{2, {left, right, population.aside}, {left_weight, population.weight - left_weight, 0}};
    if (!measure.is_score()) {
        return population.weight * gain(measure, branches, population.total, population.weight);
    }
    branches.n = population.aside.empty() ? 2 : 3;
    branches.weight[2] = population.node_weight - population.weight;
    return population.node_weight * merit(measure, branches, population.node, population.node_weight);
}

// found.at: the group that is alone on the left.
inline void scan_alone(const Measure& measure, const Groups& groups, const GroupSearch& search,
                       const Population& population, const Terms& terms, Found& found) {
    std::vector<double> left(population.base.begin(), population.base.end()), right(left.size());
    for (std::uint32_t g = search.alone_begin; g < search.alone_end; ++g) {
        const double weight = population.base_weight + groups.weight[g];
        const std::int64_t rows = population.base_rows + groups.rows[g];
        if (!terms.minimum.allows(rows, weight) ||
            !terms.minimum.allows(population.rows - rows, population.weight - weight)) {
            continue;
        }
        for (std::size_t at = groups.start[g]; at < groups.start[g + 1]; ++at) {
            left[groups.label[at]] += groups.count[at];
        }
        const double value = weigh_sides(measure, population, left, right, weight);
        found.offer(value + terms.constant, terms.slack, g, terms.side);
        for (std::size_t at = groups.start[g]; at < groups.start[g + 1]; ++at) {
            left[groups.label[at]] = population.base[groups.label[at]];
        }
    }
    found.uneven |= found.tie;  // which of them comes first, the judges know
}

}  // namespace boxwood
