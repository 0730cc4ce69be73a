// What is known about parts of the rows that were met before: a hash table of
// fixed size, as chess programs have it.
//
// An entry holds bounds of one subproblem (a part, a depth, a budget of leaves)
// and the root of its tree when they meet. There are no trees in it:
// they are rebuilt along their path, and what was lost is solved again. So the
// memory is a constant, and forgetting costs time only, never the answer. Four
// entries share a bucket; when it is full, the one of least effort goes.
//
// The key is a hash of 128 bits of the part, mixed with depth and budget. Two of
// 10^8 different keys collide with a probability below 10^-20.
#pragma once

#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

#include "optimal/rows.hpp"

namespace boxwood::optimal {

struct Key {
    std::uint64_t first = 0, second = 0;
};

inline Key key_of(const std::vector<Word>& mask, int depth, std::int32_t leaves) {
    std::uint64_t a = 0x9e3779b97f4a7c15ULL, b = 0xc2b2ae3d27d4eb4fULL;
    const auto mix = [&](std::uint64_t word) {
        a = (a ^ word) * 0xff51afd7ed558ccdULL;
        a ^= a >> 32;
        b = (b + word) * 0xc4ceb9fe1a85ec53ULL;
        b ^= b >> 29;
    };
    for (const Word word : mask) mix(word);
    mix(static_cast<std::uint64_t>(depth) << 32 | static_cast<std::uint32_t>(leaves));
    mix(0x2545f4914f6cdd1dULL);
    return {a, b | 1};  // the second part of an empty entry is 0
}

// The optimum is `lower` if that is `upper`; else it is `lower` at least, and less than `upper`.
struct Known {
    Cost lower = 0, upper = kInfinite;
    std::int32_t feature = -1, left_leaves = 0;  // the root of the optimum, if it is known; -1: a leaf
};

class Table {
  public:
    // Room for about `bytes`; at least one bucket. Pages are claimed from the system when they are first written.
    Table(std::size_t bytes, bool shared) : shared_(shared) {
        while ((buckets_ * 2) * sizeof(Bucket) <= bytes) buckets_ *= 2;
        room_.reset(static_cast<Bucket*>(std::calloc(buckets_, sizeof(Bucket))));
        if (!room_) throw std::bad_alloc();
    }

    std::size_t bytes() const { return buckets_ * sizeof(Bucket); }

    bool find(const Key& key, Known& out) const {
        const auto lock = hold(key);
        for (const Entry& entry : bucket(key).entries) {
            if (entry.first != key.first || entry.second != key.second) continue;
            out = entry.known;
            return true;
        }
        return false;
    }

    void store(const Key& key, const Known& known, int effort) {
        const auto lock = hold(key);
        Entry* place = nullptr;
        for (Entry& entry : bucket(key).entries) {
            if (entry.first == key.first && entry.second == key.second) {
                const Cost lower = std::max(entry.known.lower, known.lower);
                if (known.upper <= entry.known.upper) entry.known = known;
                entry.known.lower = lower;
                return;
            }
            if (!place || entry.effort < place->effort) place = &entry;
        }
        *place = {key.first, key.second, known, effort + 1};
    }

  private:
    struct Entry {
        std::uint64_t first, second;
        Known known;
        std::int64_t effort;  // 0: empty
    };
    struct Bucket {
        Entry entries[4];
    };
    struct Free {
        void operator()(Bucket* p) const { std::free(p); }
    };

    std::size_t place(const Key& key) const { return key.first & (buckets_ - 1); }
    Bucket& bucket(const Key& key) const { return room_[place(key)]; }
    // The lock is the bucket's, not the key's: there may be fewer buckets than locks.
    std::unique_lock<std::mutex> hold(const Key& key) const {
        std::mutex& mutex = locks_[place(key) & (kLocks - 1)];
        return shared_ ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
    }

    static constexpr std::size_t kLocks = 256;
    std::size_t buckets_ = 1;
    bool shared_;
    std::unique_ptr<Bucket[], Free> room_;
    mutable std::mutex locks_[kLocks];
};

}  // namespace boxwood::optimal
