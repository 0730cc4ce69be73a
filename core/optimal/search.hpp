// The search above the kernels: depth-first, with bounds.
//
// A subproblem is a part of the rows, a depth and a budget of leaves. solve()
// returns bounds of its optimum V: they are equal when V is below the given
// limit, else the lower one reaches the limit, which is all that the caller
// needs to know. Down to depth `deepest` (three, unless memory is short) the
// kernel answers; above, the loop over the splits of the part:
//
//     for each feature, in the order of the part:
//         bounds of both children, from the table, from siblings, from the archive
//         skip it if they already add up to what is to be beaten
//         solve the child with the larger leaf cost, then the other,
//             each with what the bound of the other one leaves
//
// (Algorithm 2, DL8.5, of paper A; what is added: lower bounds are kept even when
// nothing was found, similarity bounds, and the kernel at the bottom.)
//
// Same rows, same tree. The order of the features is a function of the part
// alone, and the answer for a part is by definition its leaf, if that is
// optimal, else the first optimal split in this order (then the one with the
// fewest leaves on the left). A feature that could still tie with the best one
// found is pruned only if it comes later in the order. So bounds, threads, the size
// of the table and everything else that changes what is pruned when, changes
// neither the optimum nor the tree.
//
// Threads. The loop over the splits of any node, here and in probe(), is shared
// with whoever has nothing to do (board.hpp), so its rounds overlap, and end in
// any order. Let V be the optimum of a part, below the limit that was given, and p the
// first split that reaches it. Then, whatever the schedule:
// - The best value of the node never goes below V, because a sum is taken for a
//   value only if both children are solved exactly.
// - p is never pruned. It is compared with a target that is above V: with the
//   limit, or one more than a tree at hand; with a best value above V; or, once
//   somebody has found V at a later place, with V + 1. All bounds are true, so
//   those of its children add up to V at most.
// - Its result is taken in, because whether it is better, or as good and earlier,
//   is asked again when it comes, under the lock of the node, and not of the best one
//   that there was when it began. After it, nothing else is: an equal split at a
//   later place is no gain, and there is none before it.
// - The budgets of leaves of one place are tried by one member, in their order.
// So what close() stores as exact is a function of the part, the table never holds
// anything else as exact, and rebuild() walks down such answers, solving again what
// the table has lost. What depends on the schedule are lower bounds, trees met on
// the way (the probes' too), and the time: they change what is pruned, and nothing else.
// For this the depth of the kernels must not depend on the threads: below it
// ties go to the lowest feature, not to the first in the order.
//
// probe() is the same loop without proof: at each node only the first few
// features, with a budget of discrepancies (a feature at place i costs i) that
// the path shares (limited discrepancy search, Harvey and Ginsberg 1995). What
// it finds are trees; what it did not look at is no bound, and is never stored
// as one. Stopped at any moment, there is a complete tree, because the kernels below
// always return one.
#pragma once

#include <memory>
#include <optional>

#include "optimal/board.hpp"
#include "optimal/bounds.hpp"
#include "optimal/kernels/kernel.hpp"
#include "optimal/table.hpp"

namespace boxwood::optimal {

struct Bounds {
    Cost lower = 0, upper = kInfinite;
    std::int32_t feature = -1, left_leaves = 0;  // when they are equal: the root, -1 for a leaf
    bool exact() const { return lower == upper; }
};

// Switches for tests and for measuring: none of them changes the answer.
struct Tactics {
    int deepest = 3;
    bool table = true, siblings = true, archive = true, floor = true, look_ahead = true, probes = true, merge = true,
         steps = true;
    Machine machine = Machine::kBest;
    std::size_t table_bytes = std::size_t{96} << 20;
};

struct Counters {
    std::int64_t nodes = 0, kernels = 0, hits = 0, skipped = 0;
    std::int64_t inherited = 0;  // answers of an earlier run that still hold
};

class Search {
  public:
    Search(const Rows& rows, const Limits& limits, const Tactics& tactics, Control& control, Table& table,
           std::size_t member);

    // One node whose splits are tried; several searches may share it.
    struct Open {
        struct Best {
            Cost value;            // to be beaten
            std::ptrdiff_t place;  // in the order; -1: the leaf; kNowhere: nothing is found yet
            std::int32_t left_leaves;
        };
        static constexpr std::ptrdiff_t kNowhere = std::numeric_limits<std::ptrdiff_t>::max();

        Open(const Part& part, Task task, Cost lower, std::vector<std::int32_t> order, Best best);

        const Part& part;
        Task task;
        Cost lower;                       // of the part, known before
        std::vector<std::int32_t> order;  // features
        Siblings siblings;
        std::mutex mutex;
        Best best;
        std::vector<Cost> bound;  // by place: of trees with this split
        Best current() {
            std::lock_guard lock(mutex);
            return best;
        }
    };

    Bounds solve(const Part& part, int depth, std::int32_t leaves, Cost limit);
    // An open node: its order, its leaf, and a tree at hand that its look-ahead found.
    std::unique_ptr<Open> open(const Part& part, Task task, Cost limit, Cost lower);
    // Try one feature of an open node; true if it gave a better tree (or an earlier one that is as good).
    bool try_split(Open& node, std::size_t place);
    // Bounds of an open node whose features have all been tried; the outcome is stored.
    Bounds close(Open& node);

    struct Probe {
        Cost value = kInfinite;
        std::shared_ptr<const struct Plan> plan;
    };
    Probe probe(const Part& part, int depth, std::int32_t leaves, int discrepancies, Cost limit);

    // The tree of an exactly solved subproblem, in features of the problem; nothing if stopped.
    std::optional<Sketch> rebuild(const Part& part, int depth, std::int32_t leaves);
    std::optional<Sketch> rebuild(const Part& part, const struct Plan& plan);

    // The features that split the part, most promising first, and the cost of a tree met on the way.
    std::pair<std::vector<std::int32_t>, Cost> order_of(const Part& part, Task task);
    bool look() { return control_.look(member_); }
    void share(Kept* kept) { kernel_.share(kept); }
    // What a run with the first so many features knew; null: nothing.
    void look_back(const Table* past, std::size_t n_features) {
        past_ = past;
        past_features_ = n_features;
    }
    // Share loops over this board; `team` has a search for each member. Without it, a search works alone.
    void join(Board& board, const std::vector<std::unique_ptr<Search>>& team) {
        board_ = &board;
        team_ = &team;
    }
    // Run work(search, round) for the rounds of a loop at a node of this height, alone or with others.
    template <class Work>
    void each(int height, std::size_t count, Work work) {
        if (board_) {
            board_->each(member_, height, count, [&](std::size_t round, std::size_t member) {
                if (!control_.stopped()) work(*(*team_)[member], round);
            });
        } else {
            for (std::size_t round = 0; round < count && !control_.stopped(); ++round) work(*this, round);
        }
    }
    Cost leaf_value(const Part& part) const { return limits_.weight_unit * rows_.leaf(part) + limits_.leaf_cost; }
    Cost floor_value(const Part& part) const;

    Counters counters() const {
        Counters all = counters_;
        all.kernels = kernel_.calls;
        return all;
    }

  private:
    // A node whose most promising splits are probed; several searches may share it.
    struct Probed {
        const Part& part;
        Task task;
        Cost limit;
        std::mutex mutex;
        Probe best;
        Cost target() {
            std::lock_guard lock(mutex);
            return std::min(limit, best.value);
        }
    };
    void probe_split(Probed& node, std::int32_t feature, int discrepancies);

    // What the table, or that of an earlier run, knows of a subproblem.
    bool recall(const Part& part, Task task, Known& known);
    Bounds shallow(const Part& part, Task task);
    void remember(const Part& part, Task task, const Bounds& bounds);
    Cost child_bound(const Open& node, const Part& child, Task task, Cost enough);
    bool grow(const Part& part, int depth, std::int32_t leaves, Cost limit, Sketch& tree);
    bool grow(const Part& part, const struct Plan& plan, Sketch& tree);
    template <class Left, class Right>
    bool append(const Part& part, std::int32_t feature, Sketch& tree, Left left, Right right);
    std::pair<std::int32_t, std::int32_t> budgets(Task task) const;

    const Rows& rows_;
    const Limits& limits_;
    const Tactics& tactics_;
    Control& control_;
    Table& table_;
    const Table* past_ = nullptr;
    std::size_t past_features_ = 0;
    std::size_t member_;
    Board* board_ = nullptr;
    const std::vector<std::unique_ptr<Search>>* team_ = nullptr;
    Kernel kernel_;
    std::vector<Archive> archives_;  // by depth
    std::vector<Root> roots_;
    // The last order of each depth: the phases come back to the same nodes.
    struct Ordered {
        Key key;
        std::vector<std::int32_t> order;
        Cost reachable;
    };
    std::vector<Ordered> ordered_;
    Counters counters_;
};

// A tree in the making: splits, and subproblems whose trees can be rebuilt.
struct Plan {
    std::int32_t feature = -1;  // -1: rebuild (depth, leaves)
    int depth = 0;
    std::int32_t leaves = 0;
    std::shared_ptr<const Plan> left, right;
};

}  // namespace boxwood::optimal
