// Greedy growth in which a row may be in several nodes, with a part of its weight in each.
//
// The main engine (grow/engine.hpp) keeps every row in one place, which makes it
// fast. Here a row whose tested value is missing goes down every branch, as in
// C4.5: its weight is divided in proportion to the weights of the rows whose value
// is known, and its parts grow apart. Choose a split (offers.hpp, choice.hpp),
// divide the rows (members.hpp), go on; depth-first, or best-first under a limit
// of leaves. Threads share the columns of large nodes.
//
// Same rows, same tree: parts of weights are cut so that all their sums are exact
// (grid.hpp), and scores are evaluated from these sums. On a table without missing
// cells the tree is that of the main engine.
//
// Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, chapter 3.
#pragma once

#include "grow/grow.hpp"

namespace boxwood {

GrownTree grow_spread(const Problem& problem, const Options& options, Monitor& monitor);

}  // namespace boxwood
