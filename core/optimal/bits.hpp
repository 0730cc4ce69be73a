// Population counts of masks, each compiled for several instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood::optimal {

// Number of bits in a & b, and in a & ~b and in a & b & ~c, over n words.
std::int64_t count_both(const std::uint64_t* a, const std::uint64_t* b, std::size_t n);
std::int64_t count_without(const std::uint64_t* a, const std::uint64_t* b, std::size_t n);
std::int64_t count_both_without(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c, std::size_t n);

// out = a & b, or a & ~b.
void meet(const std::uint64_t* a, const std::uint64_t* b, bool one, std::uint64_t* out, std::size_t n);

}  // namespace boxwood::optimal
