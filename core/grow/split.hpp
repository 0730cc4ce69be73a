// A split chosen by the judges, with all that its children need.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree/node.hpp"

namespace boxwood {

struct Split {
    Kind kind = Kind::kLeaf;
    std::size_t feature = 0;
    double gain = 0, score = 0;
    double threshold = std::numeric_limits<double>::quiet_NaN();
    std::int32_t missing_branch = 0;
    std::size_t n_branches = 2;
    std::size_t cut = 0;         // sorted numeric: known rows on the left; coded numeric: the last code on the left
    std::vector<double> counts;  // class counts by branch
    std::array<std::int64_t, 3> rows{};
    std::array<double, 3> weight{};
    std::vector<std::int32_t> category_code;
    std::vector<std::uint8_t> category_branch;
};

}  // namespace boxwood
