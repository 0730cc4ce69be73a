// The searches on one table, outside of a tree.
//
// The same code as in growth, without a minimum leaf size and without rows that
// lack a value. Of the groupings that a search gives, the first one wins whose
// merit is within 1e-12 of the best (times the table's impurity).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/groups.hpp"
#include "search/categorical/method.hpp"

namespace boxwood {

// `counts`: values x classes, every value with some weight.
Groups groups_of_table(std::span<const double> counts, std::size_t n_classes);

struct OneTable {
    std::vector<std::uint8_t> branch;  // of each value; the first one's is 0
    double impurity = 0;               // sum over the branches of w_b / w I(b)
    double merit = 0;
};
OneTable split_one_table(const Groups& groups, std::size_t n_classes, const Measure& measure, CategorySplit method,
                         std::span<const double> mixing);

// The branches of each value, grouping by grouping, in the order in which they are tried.
std::vector<std::uint8_t> groupings_of_one_table(const Groups& groups, std::size_t n_classes, const Measure& measure,
                                                 CategorySplit method);

}  // namespace boxwood
