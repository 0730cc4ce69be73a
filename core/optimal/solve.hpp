// A problem in, a tree with its certificate out.
//
// Anytime: there is a complete tree from the first moment, and it only gets
// better. The phases are
//
//     0  greedy growth;
//     1  look-ahead: at every node above the kernels' depth, the root of the
//        best tree that the kernel sees (LicketySPLIT, Babbar et al. 2025, has
//        a greedy look-ahead here; ours is optimal to depth three);
//     2  limited discrepancy search with budgets 1, 2, 4, 8, and with 16 if eight
//        were worth it;
//     3  the proof, which is the whole search, and finds what is left. Two levels
//        and more above the kernels it goes up in steps: first that no tree
//        costs less than a quarter of the best one, then than a half, then than
//        all of it. What the first steps count serves the last one too (they
//        add a few per cent), and a run that is stopped has a bound to show.
//
// A depth-first search alone, stopped early, leaves a lopsided tree: its first
// branch is perfect, its last one a leaf (Figure 3.5 of paper A). Here every
// tree offered is complete on both sides.
//
// The lower bound of the run is the least bound over the splits of the root,
// or the cost of the tree if that is less. Status kOptimal means that the two meet.
// The upper one is always what the tree costs when every row is routed through it.
//
// Threads share the loops over the splits of every node, in the probes as in the
// proof, from the root down to where there is enough to do for all (board.hpp),
// with the table, the siblings' bounds and the best tree. The final tree is rebuilt from a
// rule that does not know about threads (search.hpp).
#pragma once

#include <atomic>
#include <functional>

#include "optimal/search.hpp"

namespace boxwood::optimal {

// Seconds beyond the time limit that making the rows ready and the greedy tree may take. On a table so large that
// this does not suffice, the answer is what is there by then: one leaf, or a tree to start from.
inline constexpr double kGrace = 0.1;

struct Improvement {
    double seconds;
    Cost objective, lower;
};

struct Outcome {
    Status status = Status::kOptimal;
    Sketch tree;
    Cost objective = 0, lower = 0;
    Counters counters;
    std::size_t n_rows = 0, n_features = 0;  // that the search has seen
    std::size_t table_bytes = 0;
    int deepest = 0;  // of the kernels
    double seconds = 0, search_seconds = 0;
    std::vector<Improvement> trace;
    std::shared_ptr<const Kept> kept;  // for a run with more features, if it was asked for
};

struct Run {
    double time_limit = -1;        // seconds; negative: none
    std::size_t memory_limit = 0;  // bytes; 0: none
    Cost max_gap = 0;
    std::size_t n_threads = 1;
    Sketch initial;                    // a tree to start from; empty: none
    bool keep = false;                 // hand on what a run with appended features can use
    std::shared_ptr<const Kept> past;  // what a run with the first of these features has handed on; null: none
    std::atomic<std::int64_t>* n_nodes = nullptr;  // counts the nodes opened while the search goes on, if given
    // Told of every better tree and every better bound, by the thread that found it, one at a time.
    std::function<void(const Improvement&)> report;
};

Outcome solve(const Problem& problem, const Limits& limits, const Run& run, const Tactics& tactics, Monitor& monitor);

}  // namespace boxwood::optimal
