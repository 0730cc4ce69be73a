// The best sides of every root, from the table of pairs, when leaves are free and as many as the depth allows.
//
// best[f][g] says what the four cells of a pair cost with at most one split more
// (triples.hpp). The side r = a of a root r is the cheapest of its own leaf and,
// over the other features x, of the two cells {r = a, x = 0} and {r = a, x = 1}
// together, if both are large enough for a leaf. Every pair serves both of its
// features as root: four sums for each pair, side by side over x.
//
// Costs are signed so that less is better: wrong weight, or in the form kLargest
// the negative of right weight, to which the weight of the part is to be added.
#pragma once

#include <vector>

#include "optimal/kernels/local.hpp"
#include "optimal/problem.hpp"

namespace boxwood::optimal {

// side[2 f + a], for each feature f and its values a; T is the kernel's number type, and there are at least two
// features. `masked`: cells must have the least sum of the valued planes; there are no further planes.
template <class T>
void find_sides(const Local& local, Form form, bool masked, std::vector<Cost>& side);

}  // namespace boxwood::optimal
