// One branch for every value of a categorical column that is present at a node: categorical_split="multiway".
//
// There is one such split, and nothing to search for but the place of the rows
// without a value: they have a branch of their own, or join the one that gains
// most with them (Quinlan's C4.5 spreads them instead; see core/grow/spread). The
// leaf minima must hold in every branch, so that one rare value forbids the split,
// unless the missing rows fill its branch up. Where they gain as much in several
// branches, the first of these in the canonical order (values.hpp) takes them.
//
// An impurity is a sum over branches: every branch is weighed once, and once more
// with the missing rows, O(values x classes) in all. The same holds for Hellinger's
// distance, a sum over branches for each class. Twoing compares every pair of
// branches, O(values^2 x classes); with two classes it is
//     1/4 sum_{a<b} w_a w_b / w^2 (2 |p_a - p_b|)^2 = sum_a w_a / w (p_a - p)^2,
// p the share of one class: a sum over branches again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/groups.hpp"
#include "search/categorical/values.hpp"
#include "search/found.hpp"

namespace boxwood {

// A node as the search sees it.
struct MultiwayNode {
    std::span<const double> total;
    double weight = 0;
    std::span<const double> missing;  // class counts of the rows without a value
    double missing_weight = 0;
    std::int64_t missing_rows = 0;
    bool own_branch = false;  // these rows have a branch of their own
    Minimum minimum;
    // What the share of the second class in every branch must lie between, under monotonic constraints.
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

class Multiway {
  public:
    struct Placed {
        std::uint32_t at = 0;  // Side::kRight: the group that the missing rows join
        Side side = Side::kNone;
        double merit = 0;
    };

    // Every placement that is allowed, in order.
    const std::vector<Placed>& list(const Measure& measure, const Groups& groups, const MultiwayNode& node);

  private:
    bool allows(const MultiwayNode& node, std::int64_t rows, double weight, double ones) const;
    void weigh(const Measure& measure, const Groups& groups, const MultiwayNode& node);
    void weigh_parts(const Measure& measure, const Groups& groups, const MultiwayNode& node);
    void weigh_pairs(const Groups& groups, const MultiwayNode& node);
    void weigh_distances(const Groups& groups, const MultiwayNode& node);
    void fill(const Groups& groups, std::size_t g, std::span<const double> with);
    void order_ties(const Groups& groups, std::size_t n_classes);

    std::vector<Placed> placed_;
    std::vector<double> counts_, part_;  // scratch
    ValueTable values_;
};

}  // namespace boxwood
