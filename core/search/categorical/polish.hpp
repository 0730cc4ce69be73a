// Polish: while moving one value to the other side improves a grouping, the best such move is made.
//
// O(entries) per round; what a round finds is one move, and there are at most as
// many rounds as values. The room's minima hold after every move.
#pragma once

#include "search/categorical/division.hpp"

namespace boxwood {

void polish(Division& division, const Room& room);

}  // namespace boxwood
