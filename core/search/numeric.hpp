// The best cut of one ordered feature at one node.
//
// A Sequence lists the classes (and weights) of the node's known rows in the
// order of their values, with a flag where the value changes. Rows without a
// value stand aside: they are on the right of every cut (base counts zero), on
// its left (base counts theirs), or take no part (a branch of their own).
//
// scan() walks the sequence once over any Balance, in O(1) per row: a cut is
// weighed only where the value changes and the leaf minima hold, and first by
// a comparison without division against the best so far. `floor` is a value
// reached by another feature already: cuts below it need not be reported.
//
// For two classes, unit weights and Gini there is a kernel of its own: with
// D = l1 N - n1 l, where l and l1 count the left rows and those of class 1 among
// them, w * gain = 2 D^2 / (N l (N - l)), so that blocks of cuts are tested side
// by side by multiplications only.
//
// For a concave impurity the best cut is a boundary point (Fayyad and Irani
// 1992) or the first or last cut that the leaf minima allow. Looking at a cut
// costs less here than telling whether it is one, so all are looked at; the
// judges that settle ties see the boundary points and those two alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "search/found.hpp"

namespace boxwood {

struct Sequence {
    std::span<const std::uint16_t> label;  // class of each known row, by value
    std::span<const double> weight;        // empty: all weights are 1
    std::span<const std::uint8_t> change;  // change[i]: the value of row i differs from that of row i + 1
};

struct Population {
    std::span<const double> total;  // class counts of both sides together
    double weight = 0;
    std::int64_t rows = 0;
    double worth = 0;              // P(total)
    std::span<const double> base;  // class counts that are left from the start
    double base_weight = 0;
    std::int64_t base_rows = 0;
};

struct Terms {
    double constant = 0;  // what the feature gains whatever the cut (a branch of missing rows)
    double slack = 0;     // values nearer than this cannot be told apart
    double floor = 0;     // report nothing below
    Minimum minimum;
    Side side = Side::kNone;
};

// The cuts p (known rows on the left) that the minimum number of rows allows: [first, last], maybe empty.
struct Range {
    std::int64_t first, last;
};
inline Range feasible_cuts(std::int64_t known, const Population& population, std::int64_t min_rows) {
    return {std::max<std::int64_t>(1, min_rows - population.base_rows),
            std::min<std::int64_t>(known - 1, population.rows - min_rows - population.base_rows)};
}

template <class Balance>
void scan(Balance& balance, const Sequence& sequence, const Population& population, const Terms& terms, Found& found) {
    const auto known = static_cast<std::int64_t>(sequence.label.size());
    const Range cuts = feasible_cuts(known, population, terms.minimum.rows);
    if (cuts.first > cuts.last) return;
    balance.start(population.base, population.total);
    const bool weighted = !sequence.weight.empty();
    double left = population.base_weight;
    const double offset = terms.constant - population.worth;
    double limit = std::max(terms.floor, found.value) - terms.slack - offset;
    for (std::int64_t i = 0; i < cuts.last; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double w = weighted ? sequence.weight[at] : 1.0;
        balance.move(sequence.label[at], w);
        left += w;
        if (!sequence.change[at] || i + 1 < cuts.first) continue;
        if (weighted && (left < terms.minimum.weight || population.weight - left < terms.minimum.weight)) continue;
        found.feasible = true;
        if (!balance.reaches(limit)) continue;
        found.offer(balance.worth() + offset, terms.slack, static_cast<std::uint32_t>(i + 1), terms.side);
        limit = std::max(terms.floor, found.value) - terms.slack - offset;
    }
}

// Two classes, unit weights, Gini. `ones[i]`: rows of class 1 among the first i + 1 known rows.
void scan_two_classes(std::span<const std::int32_t> ones, std::span<const std::uint8_t> change,
                      const Population& population, const Terms& terms, Found& found);

// The largest number of rows for which the kernel's products are exact.
inline constexpr std::int64_t kTwoClassRows = 90'000'000;

}  // namespace boxwood
