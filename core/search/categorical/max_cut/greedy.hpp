// GreedyCut: vertices one after the other, each to the side that cuts more of its edges.
//
// Every vertex cuts at least half the weight of its edges to earlier ones, so the
// cut is at least half of all edges together, and half of any cut, whatever the
// order. Ours is by falling weight of all edges of a vertex, ties by number. O(n^2).
#pragma once

#include <cstdint>
#include <vector>

#include "search/categorical/max_cut/weights.hpp"

namespace boxwood {

std::vector<std::uint8_t> greedy_cut(const Graph& graph);

}  // namespace boxwood
