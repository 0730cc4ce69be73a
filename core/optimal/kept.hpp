// What a run leaves behind for the next one, when features are appended.
//
// Problem. MID's prefixes are solved one after the other: the same rows, the
// same limits, and a few more features each time. Paper A starts every run from
// the last tree and finds that this saves no more than it costs.
//
// Idea. The tree is little; the counting is nearly everything. The table of a
// depth-three kernel (triples.hpp) says for a part S of the rows, for each pair
// of features and each of their four cells, what the best third feature does
// there. That is a minimum over third features, so with appended features it is
// the minimum of the table that there was and of the triples that hold at least
// one new feature. So we keep these tables, part by part, and a kernel that
// finds the table of its part counts the rest only: of q^3 / 6 triples all but
// p^3 / 6, which is 27 per cent for 40 features and then 45. No subtree of depth
// three without a new feature is counted a second time.
//
// Above the kernels, the table of what is known about parts (table.hpp) is kept
// too. With V_p the optimum on the first p features,
//
//     V_q(S, d) = min(V_p(S, d), the best tree with at least one new feature).
//
// Where no new feature divides S otherwise than an old one does (told_apart_anew),
// there is no such tree, and all that was known about S still holds: the optimum,
// its root, and lower bounds too. The deeper the part and the closer the new
// thresholds are to old ones, the more often. Elsewhere V_p is the cost of a tree at
// hand, and no more: a bound from fewer features is none (more features, better
// trees). There the loop over the splits runs again, and every child of it is asked in
// the same way; so what is searched are the parts in which a tree with a new
// feature is possible, and what is counted in them are triples with a new feature.
// When no column at all is new, an optimum that was proved is the new one, and nothing
// is searched.
//
// Invariants. A table of pairs speaks of its own features, which are named in it,
// and of the rows of its part; `mark` tells whether rows and columns are the same.
// The table of parts also depends on the limits, and its roots on how deep the
// kernels go. Tables are never changed once they are kept, so runs may share them;
// each run hands on a list and a table of its own. When the room is full, no more are
// taken in: what is missing is counted. A table of parts that does not fit beside what a
// run needs is given up: it must not make the kernels of that run less deep.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "optimal/table.hpp"

namespace boxwood::optimal {

// A kernel's table: best[f][g][cell] for f < g, features in its order.
struct PairTable {
    std::vector<std::uint32_t> features;
    std::vector<std::uint8_t> flipped;
    std::size_t number_bytes = 0;
    std::vector<std::uint8_t> best;

    std::size_t bytes() const { return best.size() + 5 * features.size() + 128; }
};

// What decides between trees that are as good, besides the rows: the roots in a table of parts depend on it.
struct Choice {
    int deepest = 3;  // of the kernels
    bool look_ahead = true;
    bool operator==(const Choice&) const = default;
};

class Kept {
  public:
    // A new list that starts from the tables of another one, if they are about the same rows.
    Kept(const Rows& rows, const Limits& limits, std::size_t room, const Kept* past);

    // Whether rows, costs and the first columns of these rows are those that the tables are about.
    bool fits(const Rows& rows) const;
    // Whether nothing has changed for the solver, so that an optimum is still one.
    bool same_problem(const Rows& rows, const Limits& limits) const;

    std::shared_ptr<const PairTable> find(const std::vector<Word>& mask) const;
    bool wants(std::size_t bytes) const {
        std::lock_guard lock(mutex_);
        return bytes_ + bytes <= room_;
    }
    void add(const std::vector<Word>& mask, PairTable&& table);

    std::size_t bytes() const { return bytes_; }

    // The table of parts at the end of a run.
    void hand_on(std::shared_ptr<const Table> parts, Choice choice) {
        parts_ = std::move(parts);
        choice_ = choice;
    }
    // That table, if it is of use for these rows and limits and needs no more than so many bytes; else null, and this
    // list gives it up. What it knows is about the first n_features() columns.
    std::shared_ptr<const Table> parts(const Rows& rows, const Limits& limits, Choice choice, std::size_t most) const;
    std::size_t parts_bytes() const;
    Choice choice() const { return choice_; }
    std::size_t n_features() const { return n_features_; }

    Sketch tree;               // the best one of the run
    Cost optimum = kInfinite;  // of the run, if it was proved

  private:
    struct Hash {
        std::size_t operator()(const Key& key) const { return key.first; }
    };
    struct Equal {
        bool operator()(const Key& a, const Key& b) const { return a.first == b.first && a.second == b.second; }
    };

    std::size_t n_features_;
    std::uint64_t mark_;
    Limits limits_;
    std::size_t room_, bytes_ = 0;
    mutable std::mutex mutex_;
    std::unordered_map<Key, std::shared_ptr<const PairTable>, Hash, Equal> tables_;
    mutable std::shared_ptr<const Table> parts_;  // guarded by the mutex
    Choice choice_;
};

}  // namespace boxwood::optimal
