// A candidate split of one node with the counts of its branches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/found.hpp"

namespace boxwood {

struct Candidate {
    std::uint32_t at = 0;  // as Found::at
    Side side = Side::kNone;
    bool is_missing_test = false;
    std::size_t n_branches = 2;
    std::array<std::span<const double>, 3> counts;
    std::array<std::int64_t, 3> rows{};
    std::array<double, 3> weight{};

    bool is(const Found& found) const {
        return is_missing_test ? found.is_missing_test
                               : !found.is_missing_test && at == found.at && side == found.missing;
    }
    bool allowed(const Minimum& minimum) const {
        for (std::size_t branch = 0; branch < n_branches; ++branch) {
            if (!minimum.allows(rows[branch], weight[branch])) return false;
        }
        return true;
    }
};

// Where a cut of an ordered feature can be best for a concave impurity.
//
// A cut between two neighbouring values is a boundary point unless all rows of
// both values belong to one class (Fayyad and Irani 1992). The best cut that the
// leaf minima allow is a boundary point, or the first or the last allowed cut:
// between two boundary points the impurity of the split is concave in the
// position of the cut, so its least value over any interval lies at an end.
// `cuts` are all cuts, ascending; pure[i] is the class of the values left of cut i
// down to the cut before it, if they have only one, else -1, and pure[i + 1] that
// of the values right of it. What the minima allow depends on where missing rows
// go: allowed(i) has one bit for each way to place them, and each way has a first
// and a last allowed cut.
template <class Allowed>
void keep_boundaries(std::vector<std::uint32_t>& cuts, std::span<const std::int32_t> pure, Allowed allowed) {
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
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const bool inside = pure[i] >= 0 && pure[i] == pure[i + 1];
        if (!inside || is_end(i)) cuts[kept++] = cuts[i];
    }
    cuts.resize(kept);
}

}  // namespace boxwood
