// The vocabulary of a tree: kinds of split, and the special branches.
#pragma once

#include <cstdint>
#include <numeric>

namespace boxwood {

enum class Kind : std::int8_t { kLeaf = 0, kThreshold = 1, kSubset = 2, kMultiway = 3, kIsMissing = 4 };

inline constexpr std::int32_t kStop = -1;    // the row ends at this node
inline constexpr std::int32_t kError = -2;   // the caller wants an error
inline constexpr std::int32_t kSpread = -3;  // the row goes down every branch, its weight divided by theirs

// The threshold between two neighbouring values: their midpoint; the lower one where that rounds to the upper.
inline double between(double below, double above) {
    const double middle = std::midpoint(below, above);
    return middle < above ? middle : below;
}

}  // namespace boxwood
