// PC-ext: prefixes of the principal order, and prefixes with the pair at their end exchanged.
//
// PC (order.hpp) tries the V - 1 prefixes of the values' order along the
// principal direction. The extension also tries each prefix with its last value
// and the first one beyond it exchanged (Coppersmith, Hong and Hosking 1999,
// section 4), which mends orders that are wrong by one place. O(entries) for the
// walk, since a changed side of one value is weighed in O(its classes).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/categorical/division.hpp"

namespace boxwood {

// Empty if the room allows nothing.
std::vector<std::uint8_t> pc_ext(Division& division, std::span<const std::uint32_t> order, const Room& room);

}  // namespace boxwood
