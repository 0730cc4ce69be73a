// The semidefinite relaxation of max-cut, and cuts rounded from it (Goemans and Williamson 1995).
//
// The relaxation gives each vertex a unit vector: maximise 1/2 sum_{i<j} w_ij (1 -
// v_i.v_j). We solve it by the mixing method (Wang, Chang and Kolter 2017): the
// vectors have r > sqrt(2 n) + 1 coordinates (a multiple of 4), enough for the optimum of the
// full program (Barvinok, Pataki); one vector after the other is set to the best
// one given the others, -g / |g| with g = sum_j w_ij v_j, until a sweep improves
// the value by less than 1e-7 of all weights. O(n^2 r) per sweep.
//
// A random hyperplane parts the vectors into a cut of at least 0.878 times the
// maximum on average, if weights are not negative. Several are drawn, the best is
// kept. All draws come from one fixed seed: same graph, same cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/categorical/max_cut/weights.hpp"

namespace boxwood {

struct Relaxation {
    double value = 0;  // an upper bound of every cut, up to the tolerance
    std::size_t rank = 0;
    std::vector<double> vectors;  // by vertex
};

inline constexpr std::size_t kRoundings = 64;

Relaxation relax_cut(const Graph& graph);
// The best of so many cuts by random hyperplanes.
std::vector<std::uint8_t> round_cut(const Graph& graph, const Relaxation& relaxation, std::size_t n_draws = kRoundings);

}  // namespace boxwood
