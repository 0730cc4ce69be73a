// Groupings by maximum cuts: GreedyCut or the semidefinite relaxation, then local search.
//
// The framework of de Albuquerque Mello Pereira (2018, chapter 4): values are the
// vertices of a complete graph, an edge weighs what parting its two values is
// worth (weights.hpp), and a heavy cut is a good grouping. The criterion decides
// among columns; the cut alone decides how this one is divided.
#pragma once

#include <cstdint>
#include <vector>

#include "search/categorical/max_cut/local_search.hpp"
#include "search/categorical/max_cut/weights.hpp"

namespace boxwood {

// Both sides have a vertex, if there are two.
std::vector<std::uint8_t> heavy_cut(const Graph& graph, bool relaxed, SearchLimit limit);
inline std::vector<std::uint8_t> heavy_cut(const Graph& graph, bool relaxed) {
    return heavy_cut(graph, relaxed, usual_limit(graph.n));
}

}  // namespace boxwood
