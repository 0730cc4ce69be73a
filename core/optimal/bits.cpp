#include "optimal/bits.hpp"

#include <bit>

#include "simd.hpp"

namespace boxwood::optimal {

BOXWOOD_CLONES std::int64_t count_both(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += std::popcount(a[i] & b[i]);
    return count;
}

BOXWOOD_CLONES std::int64_t count_without(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += std::popcount(a[i] & ~b[i]);
    return count;
}

BOXWOOD_CLONES std::int64_t count_both_without(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
                                               std::size_t n) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += std::popcount(a[i] & b[i] & ~c[i]);
    return count;
}

BOXWOOD_CLONES void meet(const std::uint64_t* a, const std::uint64_t* b, bool one, std::uint64_t* out, std::size_t n) {
    const std::uint64_t flip = one ? 0 : ~std::uint64_t{0};
    for (std::size_t i = 0; i < n; ++i) out[i] = a[i] & (b[i] ^ flip);
}

}  // namespace boxwood::optimal
