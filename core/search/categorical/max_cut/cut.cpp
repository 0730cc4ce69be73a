#include "search/categorical/max_cut/cut.hpp"

#include <algorithm>

#include "search/categorical/max_cut/greedy.hpp"
#include "search/categorical/max_cut/local_search.hpp"
#include "search/categorical/max_cut/relaxation.hpp"

namespace boxwood {

std::vector<std::uint8_t> heavy_cut(const Graph& graph, bool relaxed, SearchLimit limit) {
    std::vector<std::uint8_t> side = relaxed ? round_cut(graph, relax_cut(graph)) : greedy_cut(graph);
    if (graph.n > 1 && std::all_of(side.begin(), side.end(), [&](std::uint8_t s) { return s == side[0]; })) {
        side[0] = side[0] != 0 ? 0 : 1;  // no edge weighs anything
    }
    improve_cut(graph, side, limit);
    return side;
}

}  // namespace boxwood
