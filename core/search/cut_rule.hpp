// Which cuts of an ordered feature need looking at.
//
// A cut between two neighbouring values is a boundary point unless all rows of
// both values belong to one class (Fayyad and Irani 1992). While a cut moves
// through a run of rows of one class, the weighted impurity of its two sides is,
// as a function of its position,
//     concave   for a concave impurity: its least value over any interval lies at an end of the interval;
//     convex    for two classes and f'' > 0 on [0, 1/2]: it may be least inside, where both sides have the same
//               class shares (with l rows left, l1 of them of class 1, where D = l1 N - n1 l is zero).
// So the best allowed cut is a boundary point, or the first or last cut that the
// leaf minima allow, or (kEqualShares) one of the two cuts on either side of a
// place where D changes sign. Everything else is kAll.
//
// Searches over long lists use marks that are cheap to make and may mark too
// many: a cut is left out only where its two neighbouring values have one row
// each. The judges' candidates (candidates.hpp) are the rule to the letter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"

namespace boxwood {

// look[i], for i in [from, to): does the cut after row i need looking at? `change` as in Sequence, of at least two
// rows; `label` is the class of each row. Of both, what stands up to two places behind `to` is read.
void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::uint16_t> label, std::size_t from,
                     std::size_t to, std::uint8_t* look);
// Two classes, with the running count of class 1.
void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::int32_t> ones, std::size_t from,
                     std::size_t to, std::uint8_t* look);
// Two classes, where it is known already whether a row and the next one differ in their class; and how many cuts there
// are in [from, to), and how many of them it would mark.
void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::uint8_t> differ, std::size_t from,
                     std::size_t to, std::uint8_t* look);
struct CutCounts {
    std::int64_t cuts, boundaries;
};
CutCounts count_boundaries(std::span<const std::uint8_t> change, std::span<const std::uint8_t> differ, std::size_t from,
                           std::size_t to);
// Adds the neighbours of places of equal shares, in a node of `rows` rows with `all_ones` of class 1.
void mark_equal_shares(std::span<const std::uint8_t> change, std::span<const std::int32_t> ones, double rows,
                       double all_ones, std::uint8_t* look);

// The sum of bytes that are 0 or 1.
std::int64_t count_marks(std::span<const std::uint8_t> marks);

// Keeps the cuts that the rule names, of all cuts in ascending order. pure[i] is the class of the values left of
// cut i down to the cut before it, if they have only one, else -1, and pure[i + 1] that of the values right of it.
// What the minima allow depends on where missing rows go: allowed(i) has one bit for each way to place them, and each
// way has a first and a last allowed cut. lead(i, way) is D of cut i, for kEqualShares.
template <class Allowed, class Lead>
void keep_by_rule(CutRule rule, std::vector<std::uint32_t>& cuts, std::span<const std::int32_t> pure, Allowed allowed,
                  Lead lead) {
    if (rule == CutRule::kAll) return;
    constexpr std::size_t kWays = 2;
    std::array<std::size_t, kWays> first, last;
    first.fill(cuts.size());
    last.fill(cuts.size());
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const unsigned ways = allowed(i);
        for (std::size_t way = 0; way < kWays; ++way) {
            if ((ways >> way & 1) == 0) continue;
            if (first[way] == cuts.size()) first[way] = i;
            last[way] = i;
        }
    }
    const auto is_end = [&](std::size_t i) { return i == first[0] || i == last[0] || i == first[1] || i == last[1]; };
    const auto sign = [&](std::size_t i, std::size_t way) {
        const double d = lead(i, way);
        return d > 0 ? 1 : d < 0 ? -1 : 0;
    };
    const auto is_even = [&](std::size_t i) {
        for (std::size_t way = 0; way < kWays; ++way) {
            const int here = sign(i, way);
            if (here == 0 || (i > 0 && sign(i - 1, way) != here) || (i + 1 < cuts.size() && sign(i + 1, way) != here)) {
                return true;
            }
        }
        return false;
    };
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const bool inside = pure[i] >= 0 && pure[i] == pure[i + 1];
        if (!inside || is_end(i) || (rule == CutRule::kEqualShares && is_even(i))) cuts[kept++] = cuts[i];
    }
    cuts.resize(kept);
}

}  // namespace boxwood
