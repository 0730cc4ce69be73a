// SLIQ and SLIQ-ext: values change sides one at a time, the best one first.
//
// All values start on one side. SLIQ (Mehta, Agrawal and Rissanen 1996) moves the
// value whose move lowers the impurity most, and stops when no move lowers it.
// The extension moves on until one side is empty; the sequence is an order of the
// values whose prefixes are all tried. O(V^2 classes). A tie goes to the first
// value in canonical order. The first move is made whatever it gains, so that
// there is always a grouping.
#pragma once

#include <cstdint>
#include <vector>

#include "search/categorical/division.hpp"

namespace boxwood {

std::vector<std::uint8_t> sliq(Division& division);
std::vector<std::uint32_t> sliq_order(Division& division);

}  // namespace boxwood
