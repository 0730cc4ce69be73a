// Local search: a cut gets better by moving one vertex, or by exchanging two.
//
// gain_i, what moving vertex i would add to the cut, is kept for all vertices: a
// move costs O(n). The best move is made while there is one; then the best pair
// from different sides is exchanged, which adds gain_i + gain_j + 2 w_ij, O(n^2) to
// find; and so on until neither helps, or a limit is reached: local search may
// take long in the worst case, though not on smoothed inputs (Etscheid and Roeglin
// 2014). A side is never emptied. Ties go to the first vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/categorical/max_cut/weights.hpp"

namespace boxwood {

struct SearchLimit {
    std::size_t moves = 0, exchanges = 0;
};
// 10 moves and 1 exchange per vertex.
inline SearchLimit usual_limit(std::size_t n) {
    return {10 * n, n};
}

void improve_cut(const Graph& graph, std::vector<std::uint8_t>& side, SearchLimit limit);

}  // namespace boxwood
