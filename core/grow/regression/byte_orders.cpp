#include "grow/regression/byte_orders.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(BOXWOOD_PORTABLE)
#define BOXWOOD_COMPRESSES_BYTES
#include <immintrin.h>
#endif

namespace boxwood {

void divide_orders_plainly(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                           const OrderPart& part) {
    for (const std::size_t slot : slots) {
        const std::uint8_t* order = from + slot * kByteRows + part.begin;
        std::uint8_t* divided = to + slot * kByteRows + part.begin;
        std::size_t left = 0;
        for (std::size_t i = 0; i < part.n; ++i) {
            const bool stays = (part.right >> order[i] & 1) == 0;
            divided[stays ? left : part.n_left + i - left] = order[i];
            left += stays;
        }
    }
}

#if defined(BOXWOOD_COMPRESSES_BYTES)
namespace {

__attribute__((target("avx512f,avx512bw,avx512bitalg,avx512vbmi2"))) void divide_at_once(
    const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots, const OrderPart& part) {
    const auto lowest = [](std::size_t n) { return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; };
    const std::uint64_t all = lowest(part.n), lefts = lowest(part.n_left), rights = lowest(part.n - part.n_left);
    const __m512i set = _mm512_set1_epi64(static_cast<long long>(part.right));
    for (const std::size_t slot : slots) {
        const __m512i order = _mm512_maskz_loadu_epi8(all, from + slot * kByteRows + part.begin);
        std::uint8_t* divided = to + slot * kByteRows + part.begin;
        const std::uint64_t moves = _mm512_mask_bitshuffle_epi64_mask(all, set, order);
        _mm512_mask_storeu_epi8(divided, lefts, _mm512_maskz_compress_epi8(all & ~moves, order));
        _mm512_mask_storeu_epi8(divided + part.n_left, rights, _mm512_maskz_compress_epi8(moves, order));
    }
}

bool compresses_bytes() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vbmi2");
}

}  // namespace
#endif

void divide_orders(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                   const OrderPart& part) {
#if defined(BOXWOOD_COMPRESSES_BYTES)
    static const bool at_once = compresses_bytes();
    if (at_once) {
        divide_at_once(from, to, slots, part);
        return;
    }
#endif
    divide_orders_plainly(from, to, slots, part);
}

}  // namespace boxwood
