// Every grouping of the values of a table, in Gray-code order: "exact".
//
// 2^(V-1) - 1 groupings; from one to the next a single value changes sides, so
// that the counts are kept in O(its classes) and a grouping is judged in
// O(classes). The last value is always right. Which values are left is told by
// the bits of a number, so that the first of equal groupings is always the same
// one. Up to 20 values (method.hpp); "auto" has a lower limit.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/groups.hpp"
#include "search/found.hpp"
#include "search/numeric.hpp"

namespace boxwood {

// Calls use(subset, v, enters) for every subset but the empty one: v has just entered or left it.
template <class Use>
void each_subset(std::size_t n_values, Use use) {
    if (n_values < 2) return;
    std::uint32_t subset = 0;
    for (std::uint32_t step = 1; step < std::uint32_t{1} << (n_values - 1); ++step) {
        const auto v = static_cast<std::size_t>(std::countr_zero(step));
        subset ^= std::uint32_t{1} << v;
        if (use(subset, v, (subset >> v & 1) != 0)) return;
    }
}

// w times the gain of a split of the population, or its score: what Found goes by, less the terms' constant.
inline double judged_value(const Measure& measure, const Population& population, std::span<const double> left,
                           double left_weight, std::span<const double> right) {
    const double right_weight = population.weight - left_weight;
    Branches branches{2, {left, right, population.aside}, {left_weight, right_weight, 0}};
    if (!measure.is_score()) return population.weight * gain(measure, branches, population.total, population.weight);
    branches.n = population.aside.empty() ? 2 : 3;
    branches.weight[2] = population.node_weight - population.weight;
    return population.node_weight * merit(measure, branches, population.node, population.node_weight);
}

// found.at: bit v tells whether value v is left.
inline void scan_subsets(const Measure& measure, const Groups& values, const Population& population, const Terms& terms,
                         Found& found) {
    std::vector<double> left(population.base.begin(), population.base.end()), right(left.size());
    double left_weight = population.base_weight;
    std::int64_t left_rows = population.base_rows;
    each_subset(values.size(), [&](std::uint32_t subset, std::size_t v, bool enters) {
        const double sign = enters ? 1 : -1;
        for (std::size_t at = values.start[v]; at < values.start[v + 1]; ++at) {
            left[values.label[at]] += sign * values.count[at];
        }
        left_weight += sign * values.weight[v];
        left_rows += enters ? values.rows[v] : -values.rows[v];
        if (terms.minimum.allows(left_rows, left_weight) &&
            terms.minimum.allows(population.rows - left_rows, population.weight - left_weight)) {
            for (std::size_t k = 0; k < left.size(); ++k) right[k] = population.total[k] - left[k];
            const double value = judged_value(measure, population, left, left_weight, right) + terms.constant;
            found.offer(value, terms.slack, subset, terms.side);
        }
        return false;
    });
}

}  // namespace boxwood
