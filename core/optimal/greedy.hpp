// A first tree at once: greedy growth, then pruning to what the limits allow.
//
// At each node the split of least Gini impurity (of least cost of two leaves,
// where there is a cost matrix) is taken, down to the depth limit. Then from
// the bottom up a split goes if its leaf costs no more, leaf costs included;
// and while there are too many leaves, the split above two leaves goes whose
// loss is least. Ties go to the lowest feature and the earliest node.
#pragma once

#include "optimal/control.hpp"
#include "optimal/rows.hpp"

namespace boxwood::optimal {

// In features of the problem. Stopping it leaves nodes unsplit: the tree is a complete one in any case.
Sketch grow_greedily(const Rows& rows, const Limits& limits, Control& control);

// The same rule on the cells themselves: slower, and with hardly any memory of its own.
Sketch grow_plainly(const Problem& problem, const Limits& limits, Control& control);

}  // namespace boxwood::optimal
