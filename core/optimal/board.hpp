// Loops that the members of a team share, wherever they are in the search.
//
// Problem. The splits of the root are many, but not of a size: the bounds skip
// most of them, and a few hold nearly all of the work. Shared out alone, they leave
// the other members waiting for the last long one, and the probes before them, a
// handful of branches, for the whole of their time.
//
// Idea. Every loop over the splits of a node is posted on a board while its
// owner works on it. Who has nothing to do takes part in the highest one that
// has rounds left: high loops have large rounds, and rounds that share most
// bounds. The owner of a loop whose rounds are all taken, but not all done, looks for
// work below it in the meantime; with a team of two that is what the other one is doing
// for it (leapfrogging, Wagner and Calder 1993). So the last long split of the
// root is shared one level below, and so on down to the kernels. A node above them
// costs at least one kernel, hundreds of times what posting its loop costs.
//
// Invariants. Rounds start in their order, each is done once, by one member, and
// each() returns when all are done. Work must not depend on who does it, nor
// on what is done before it (search.hpp says why a tree does not).
//
// No two wait for each other: to wait for somebody in a round of my loop M while
// I am myself in a round of his loop N, both rounds must have been taken before
// the loop of the other was made, each before the other. While waiting, only loops
// of lesser height are taken, so a member has at most one loop of each height on
// its stack, as when it works alone.
//
// An exception in a round ends the rounds of its loop, stops the run, and comes out of
// each() at the owner, after the last helper has left.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <vector>

#include "optimal/control.hpp"

namespace boxwood::optimal {

class Board {
  public:
    using Work = std::function<void(std::size_t round, std::size_t member)>;

    explicit Board(Control& control) : control_(control) {}

    // Run work(round, who) for every round in [0, count), by `member` and whoever comes to help. `height` is that
    // of the node: rounds may have loops of lesser height.
    void each(std::size_t member, int height, std::size_t count, const Work& work);

    // Take part until the board is closed.
    void serve(std::size_t member);
    void close();

  private:
    struct Loop {
        const Work& work;
        int height;
        std::size_t count;
        std::atomic<std::size_t> next{0};
        std::size_t helpers = 0;  // in a round; this and the failure are guarded by the mutex of the board
        std::exception_ptr failure = nullptr;
    };
    using Lock = std::unique_lock<std::mutex>;

    Loop* highest_below(int height) const;
    void take_rounds(Loop& loop, std::size_t member, Lock& lock);
    void help_or_wait(std::size_t member, int height, Lock& lock);
    void tell_who_waits();

    Control& control_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t waiting_ = 0;
    std::vector<Loop*> loops_;  // posted
    bool closed_ = false;
};

}  // namespace boxwood::optimal
