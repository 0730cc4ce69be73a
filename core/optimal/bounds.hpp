// Lower bounds from parts that are alike.
//
// Take a tree for the part S and use it on another part A. The rows of A that
// are not in S cost at most worst(A \ S), so with V(.) the least cost for a
// depth and a budget of leaves,
//
//     V(S) >= V(A) - weight_unit * worst(A \ S)
//
// ("similarity bound", Demirovic et al. 2022, with costs instead of counts; a
// subset is the special case without loss). Leaves that stay empty in A are cut
// off, which costs nothing. But when leaves have a least size, a tree for S
// need not be allowed on A, unless A contains S: then every leaf only grows.
// So under such a minimum a part speaks for its subsets alone. (STreeD uses the
// bound in either case and misses optima.)
//
// A bound of A for a larger depth and budget holds for smaller ones too.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "optimal/rows.hpp"

namespace boxwood::optimal {

inline constexpr std::int32_t kFree = std::numeric_limits<std::int32_t>::max();  // as many leaves as the depth allows

// What a tree may have. Budgets that cannot bind are taken away by reduced(), so the depth tells about leaves too.
struct Task {
    int depth = 0;
    std::int32_t leaves = kFree;
};

inline Task reduced(int depth, std::int32_t leaves) {
    if (leaves != kFree) depth = std::min(depth, leaves - 1);
    if (depth < 31 && leaves >= std::int32_t{1} << depth) leaves = kFree;
    return {depth, leaves};
}

// Whether every tree that `small` allows is allowed by `large`.
inline bool covers(Task large, Task small) {
    if (large.depth < small.depth) return false;
    if (large.leaves == kFree) return true;
    if (small.leaves != kFree) return large.leaves >= small.leaves;
    return small.depth < 31 && large.leaves >= std::int32_t{1} << small.depth;
}

struct Solved {
    std::vector<Word> mask;
    Cost lower = 0;
    Task task;
};

// What one solved part says about another; the least it can say is 0.
inline Cost bound_from(const Rows& rows, Cost unit, const Solved& solved, const std::vector<Word>& mask) {
    if (!rows.plain_sizes) {
        for (std::size_t w = 0; w < mask.size(); ++w) {
            if (mask[w] & ~solved.mask[w]) return 0;
        }
    }
    return solved.lower - unit * rows.worst(solved.mask.data(), mask.data());
}

// The children solved so far in the loop over the splits of one node. Several threads may ask and add.
class Siblings {
  public:
    explicit Siblings(std::size_t capacity) : room_(std::make_unique<Solved[]>(capacity)), capacity_(capacity) {}

    void add(const std::vector<Word>& mask, Cost lower, Task task) {
        if (lower <= 0) return;
        std::lock_guard lock(mutex_);
        const std::size_t at = count_.load(std::memory_order_relaxed);
        if (at == capacity_) return;
        room_[at] = {mask, lower, task};
        count_.store(at + 1, std::memory_order_release);
    }

    // The best bound; stops looking at one that is `enough`.
    Cost bound(const Rows& rows, Cost unit, const std::vector<Word>& mask, Task task, Cost enough) const {
        Cost best = 0;
        const std::size_t count = count_.load(std::memory_order_acquire);
        for (std::size_t i = 0; i < count && best < enough; ++i) {
            const Solved& solved = room_[i];
            if (solved.lower > best && covers(solved.task, task)) {
                best = std::max(best, bound_from(rows, unit, solved, mask));
            }
        }
        return best;
    }

  private:
    std::unique_ptr<Solved[]> room_;
    std::size_t capacity_;
    std::atomic<std::size_t> count_{0};
    std::mutex mutex_;
};

// A few parts of one depth from anywhere in the search; the most similar one makes room.
class Archive {
  public:
    void add(const Rows& rows, const std::vector<Word>& mask, Cost lower, Task task) {
        if (lower <= 0) return;
        if (kept_.size() < kMost) {
            kept_.push_back({mask, lower, task});
            return;
        }
        std::size_t nearest = 0;
        Cost least = kInfinite;
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            const Word *a = kept_[i].mask.data(), *b = mask.data();
            const Cost distance = rows.worst(a, b) + rows.worst(b, a);
            if (distance < least) least = distance, nearest = i;
        }
        // The bound goes with its part: they are replaced together.
        kept_[nearest] = {mask, lower, task};
    }

    Cost bound(const Rows& rows, Cost unit, const std::vector<Word>& mask, Task task, Cost enough) const {
        Cost best = 0;
        for (const Solved& solved : kept_) {
            if (best >= enough) break;
            if (solved.lower > best && covers(solved.task, task)) {
                best = std::max(best, bound_from(rows, unit, solved, mask));
            }
        }
        return best;
    }

  private:
    static constexpr std::size_t kMost = 24;
    std::vector<Solved> kept_;
};

}  // namespace boxwood::optimal
