// The names of the searches for a grouping of categories: one file each, see search.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood {

enum class CategorySplit : std::uint8_t {
    kAuto,
    kExact,
    kOrdered,
    kTwoing,
    kSliq,
    kSliqExt,
    kPc,
    kPcExt,
    kLargestAlone,
    kListScheduling,
    kSquaredGini,
    kChi2,
    kSquaredGiniSdp,
    kChi2Sdp,
    kMultiway,
    kOneVsRest,
};

// What the searches take at most; beyond, they refuse, or "auto" takes another.
inline constexpr std::size_t kMostExactValues = 20;     // exact: 2^19 subsets
inline constexpr std::size_t kMostTwoingClasses = 16;   // twoing: 2^15 superclasses
inline constexpr std::size_t kMostPairedValues = 2000;  // sliq and max-cut: quadratic in the values
inline constexpr std::size_t kMostRelaxedValues = 500;  // the semidefinite program

}  // namespace boxwood
