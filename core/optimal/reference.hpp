// The plain solver: slow, short, and right under every option. The fast one is
// proved against it, and it is proved against brute force.
//
// Let P(S, d, l) be the least cost, leaf costs apart, of a tree with exactly l
// leaves and depth at most d on the rows S, every leaf large enough. Then
//
//     P(S, d, 1) = cost of the best answer for S, or infinity if S is too small
//     P(S, d, l) = min over features f and a + b = l of
//                      P(S with f = 0, d - 1, a) + P(S with f = 1, d - 1, b),
//
// and the optimum is the least weight_unit * P(all rows, max_depth, l) +
// leaf_cost * l over the numbers of leaves that are allowed. (A tree of one
// leaf is allowed however few rows there are.) The profiles P(S, d, .) are kept
// in a map from S and d, as in the dynamic program DL8 (Nijssen and Fromont
// 2007); there are no bounds, so nothing can be pruned wrongly.
//
// Ties: fewest leaves first, then the lowest feature, then the fewest leaves on
// the left.
#pragma once

#include "optimal/problem.hpp"

namespace boxwood::optimal {

struct ReferenceAnswer {
    Cost objective = 0;
    Sketch tree;
};

ReferenceAnswer solve_plainly(const Problem& problem, const Limits& limits);

}  // namespace boxwood::optimal
