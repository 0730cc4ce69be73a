// A candidate split of one node with the counts of its branches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "criteria/criterion.hpp"
#include "search/found.hpp"

namespace boxwood {

struct Candidate {
    std::uint32_t at = 0;  // as Found::at
    Side side = Side::kNone;
    bool is_missing_test = false;
    Branches branches;
    std::array<std::int64_t, 3> rows{};

    bool is(const Found& found) const {
        return is_missing_test ? found.is_missing_test
                               : !found.is_missing_test && at == found.at && side == found.missing;
    }
    bool allowed(const Minimum& minimum) const {
        for (std::size_t branch = 0; branch < branches.n; ++branch) {
            if (!minimum.allows(rows[branch], branches.weight[branch])) return false;
        }
        return true;
    }
};

}  // namespace boxwood
