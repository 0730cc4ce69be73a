// "auto": the search that suits a table.
//
// Two classes present: prefixes of the order by share, which is exact for concave
// impurities. At most 10 values of different shares: every subset. Otherwise the
// prefixes of the principal order, and one more grouping: Twoing's, up to 7
// classes present; beyond, the best of PC-ext, Largest-Alone, List-Scheduling and,
// up to 1,000 values, the chi-square and Squared-Gini cuts, each of them polished
// by moves of one value. The measured reasons are told in boxwood/search/categorical/auto.py.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/categorical/division.hpp"

namespace boxwood {

inline constexpr std::size_t kAutoExactValues = 10;
inline constexpr std::size_t kAutoTwoingClasses = 7;
inline constexpr std::size_t kAutoTwoingWork = 2'000'000;  // values x superclasses
inline constexpr std::size_t kAutoCutValues = 1000;
inline constexpr double kAutoCutWork = 100;  // values x values x classes, by row: a search costs no more than its node
inline constexpr double kAutoWork = 16;      // values x classes, by row: beyond, the principal order alone
inline constexpr std::size_t kAutoExchanges = 10;  // in a cut, which is polished afterwards

// The grouping beside the prefixes of the principal order; empty if the room allows none.
std::vector<std::uint8_t> best_of_searches(const ValueTable& values, const Measure& measure,
                                           std::span<const std::uint32_t> principal, const Room& room);

}  // namespace boxwood
