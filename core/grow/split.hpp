// A split chosen by the judges, with all that its children need.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tree/node.hpp"

namespace boxwood {

// A split of another column that stands in for one, see surrogates.hpp.
struct Surrogate {
    std::int32_t feature = 0;
    bool flipped = false;  // small values lead to branch 1
    double threshold = std::numeric_limits<double>::quiet_NaN();
    double agreement = 0;
    std::vector<std::int32_t> category_code;
    std::vector<std::uint8_t> category_branch;
};

struct Split {
    Kind kind = Kind::kLeaf;
    std::size_t feature = 0;
    double merit = 0;  // what candidates compete by: the gain, or a split score
    double gain = 0;   // the decrease of impurity
    double score = 0;  // what the tree keeps: the merit, or a ratio
    double threshold = std::numeric_limits<double>::quiet_NaN();
    std::int32_t missing_branch = 0;
    std::size_t n_branches = 2;
    std::size_t cut = 0;       // sorted numeric: known rows on the left; coded numeric: the last code on the left
    std::vector<double> sums;  // by branch: class counts; or sums and the answer
    std::array<std::int64_t, 3> rows{};
    std::array<double, 3> weight{};
    std::vector<std::int32_t> category_code;
    std::vector<std::uint8_t> category_branch;
    std::vector<Surrogate> surrogates;
    std::array<double, 3> impurity{};  // of the branches, where the sums do not tell it

    std::span<const double> sums_of(std::size_t branch) const {
        const std::size_t n = sums.size() / n_branches;
        return {sums.data() + branch * n, n};
    }
};

}  // namespace boxwood
