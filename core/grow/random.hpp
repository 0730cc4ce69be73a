// Random draws that depend on the seed and on the node's path alone.
//
// A node's key is a hash of the seed and of the branches taken from the root, so
// that a draw does not depend on the order in which nodes are grown, nor on
// threads. The mixing function is SplitMix64 (Steele, Lea and Flood 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace boxwood {

inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

inline std::uint64_t child_key(std::uint64_t key, std::size_t branch) {
    return mix(key ^ mix(branch + 1));
}

// A number in [0, 1), keyed by the node and a feature.
inline double unit_draw(std::uint64_t key, std::size_t feature) {
    return static_cast<double>(mix(key ^ mix(~static_cast<std::uint64_t>(feature))) >> 11) * 0x1p-53;
}

// A bit, keyed by the node, a feature and a category.
inline bool bit_draw(std::uint64_t key, std::size_t feature, std::int32_t category) {
    const std::uint64_t of_feature = mix(key ^ mix(~static_cast<std::uint64_t>(feature)));
    return (mix(of_feature ^ mix(static_cast<std::uint64_t>(category) + 1)) & 1) != 0;
}

// Draws the numbers 0 .. n-1 one by one without putting back.
class Draw {
  public:
    Draw(std::size_t n, std::uint64_t key) : left_(n), state_(key) {
        for (std::size_t i = 0; i < n; ++i) left_[i] = i;
    }
    bool empty() const { return left_.empty(); }
    std::size_t next() {
        state_ = mix(state_);
        std::swap(left_[state_ % left_.size()], left_.back());
        const std::size_t drawn = left_.back();
        left_.pop_back();
        return drawn;
    }

  private:
    std::vector<std::size_t> left_;
    std::uint64_t state_;
};

}  // namespace boxwood
