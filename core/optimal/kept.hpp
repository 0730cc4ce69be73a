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
// three without a new feature is counted a second time; the search above the
// kernels starts anew.
//
// What may not be kept are lower bounds: a prefix's bound is none for a longer
// list (more features, better trees). Only when no column is new, or all of the
// new ones repeat old ones, is the old optimum the new one.
//
// Invariants. A table speaks of its own features, which are named in it, and of
// the rows of its part; `mark` tells whether rows and columns are the same. Tables
// are never changed, so runs may share them; each run hands on a list of its
// own. When the room is full, no more are taken in: what is missing is counted.
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
};

}  // namespace boxwood::optimal
