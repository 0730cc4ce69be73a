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
// For two classes and unit weights there are kernels (two_classes.hpp) that weigh
// blocks of cuts side by side.
//
// Only the cuts that the rule names (cut_rule.hpp) are weighed, and the first
// and last that the leaf minima allow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "criteria/balance.hpp"
#include "search/found.hpp"

namespace boxwood {

struct Sequence {
    std::span<const std::uint16_t> label;  // class of each known row, by value
    std::span<const double> weight;        // empty: all weights are 1
    std::span<const std::uint8_t> change;  // change[i]: the value of row i differs from that of row i + 1
    std::span<const std::uint8_t> look;    // look[i]: the cut after row i needs looking at
    std::uint8_t* marks = nullptr;         // else, room to mark those cuts of a block that is looked into
};

struct Population {
    std::span<const double> total;  // class counts of both sides together
    double weight = 0;
    std::int64_t rows = 0;
    double worth = 0;              // P(total)
    std::span<const double> base;  // class counts that are left from the start
    double base_weight = 0;
    std::int64_t base_rows = 0;
    // Rows in a branch of their own, and the whole node, for split scores.
    std::span<const double> aside;
    std::span<const double> node;
    double node_weight = 0;

    Sides sides() const { return {base, total, aside}; }
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

// The first and the last cut that the leaf minima allow; first > last: there is none.
inline Range allowed_cuts(const Sequence& sequence, std::int64_t known, const Population& population,
                          const Minimum& minimum) {
    Range cuts = feasible_cuts(known, population, minimum.rows);
    const auto changes = [&](std::int64_t p) { return sequence.change[static_cast<std::size_t>(p - 1)] != 0; };
    if (!sequence.weight.empty() && minimum.weight > 0) {
        double left = population.base_weight;
        std::int64_t p = 0;
        while (p < known && left < minimum.weight) left += sequence.weight[static_cast<std::size_t>(p++)];
        cuts.first = std::max(cuts.first, p);
        double right = population.weight - population.base_weight;
        for (const double w : sequence.weight) right -= w;  // what else is on the right
        for (p = known; p > 0 && right < minimum.weight;) right += sequence.weight[static_cast<std::size_t>(--p)];
        cuts.last = std::min(cuts.last, p);
    }
    while (cuts.first <= cuts.last && !changes(cuts.first)) ++cuts.first;
    while (cuts.first <= cuts.last && !changes(cuts.last)) --cuts.last;
    return cuts;
}

template <class Balance>
void scan(Balance& balance, const Sequence& sequence, const Population& population, const Terms& terms, Found& found) {
    const auto known = static_cast<std::int64_t>(sequence.label.size());
    const Range cuts = allowed_cuts(sequence, known, population, terms.minimum);
    if (cuts.first > cuts.last) return;
    found.feasible = true;
    balance.start(population.sides());
    const bool weighted = !sequence.weight.empty();
    const double offset = terms.constant - population.worth;
    double limit = std::max(terms.floor, found.value) - terms.slack - offset;
    for (std::int64_t i = 0; i < cuts.last; ++i) {
        const auto at = static_cast<std::size_t>(i);
        balance.move(sequence.label[at], weighted ? sequence.weight[at] : 1.0);
        if (i + 1 < cuts.first || !(sequence.look[at] || i + 1 == cuts.first || i + 1 == cuts.last)) continue;
        if (!balance.reaches(limit)) continue;
        const bool tells = !weighted && terms.side != Side::kOwn;
        found.offer(balance.worth() + offset, terms.slack, static_cast<std::uint32_t>(i + 1), terms.side,
                    tells ? population.base_weight + static_cast<double>(i + 1) : 0.0);
        limit = std::max(terms.floor, found.value) - terms.slack - offset;
    }
}

}  // namespace boxwood
