#include "grow/regression/byte_orders.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(BOXWOOD_PORTABLE)
#define BOXWOOD_SHUFFLES_BYTES
// The compiler's own header starts some results uninitialised on purpose, and warns about it.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
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

void weigh_orders_plainly(const std::uint8_t* orders, std::span<const std::size_t> slots, const OrderCuts& cuts,
                          double* highest) {
    for (std::size_t f = 0; f < slots.size(); ++f) {
        const std::uint8_t* order = orders + slots[f] * kByteRows + cuts.begin;
        std::int64_t sum = 0;
        double most = -1;
        for (std::size_t i = 0; i < cuts.first; ++i) sum += cuts.whole[order[i]];
        for (std::size_t i = cuts.first; i <= cuts.last; ++i) {
            sum += cuts.whole[order[i]];
            const double d = static_cast<double>(sum) - cuts.drift[i];
            const double value = d * d * cuts.factor[i];
            most = value > most ? value : most;
        }
        highest[f] = most;
    }
}

#if defined(BOXWOOD_SHUFFLES_BYTES)
namespace {

#define BOXWOOD_BYTES __attribute__((target("avx512f,avx512bw,avx512dq,avx512bitalg,avx512vbmi,avx512vbmi2")))

constexpr std::size_t kOrders = 8;  // side by side

// Numbers of eight bytes, 8 kWords of them, by a place in the low bits of each lane.
template <int kWords>
struct Lookup {
    __m512i words[kWords];

    BOXWOOD_BYTES __m512i operator[](__m512i places) const {
        if constexpr (kWords == 1) {
            return _mm512_permutexvar_epi64(places, words[0]);
        } else if constexpr (kWords == 2) {
            return _mm512_permutex2var_epi64(words[0], places, words[1]);
        } else {
            const __mmask8 second = _mm512_test_epi64_mask(places, _mm512_set1_epi64(4 * kWords));
            return _mm512_mask_mov_epi64(half(0)[places], second, half(kWords / 2)[places]);
        }
    }
    BOXWOOD_BYTES Lookup<kWords / 2> half(std::size_t from) const {
        Lookup<kWords / 2> part;
        for (std::size_t i = 0; i < kWords / 2; ++i) part.words[i] = words[from + i];
        return part;
    }
};

template <int kWords>
BOXWOOD_BYTES void weigh_eights(const std::uint8_t* orders, std::span<const std::size_t> slots, const OrderCuts& cuts,
                                double* highest) {
    // The rows are renumbered from 0.
    alignas(64) std::array<std::int64_t, kByteRows> mine;
    std::size_t n = 0;
    for (std::uint64_t rest = cuts.rows; rest != 0; rest &= rest - 1) mine[n++] = cuts.whole[std::countr_zero(rest)];
    Lookup<kWords> whole;
    for (std::size_t i = 0; i < kWords; ++i) whole.words[i] = _mm512_load_si512(mine.data() + 8 * i);
    alignas(64) std::array<std::uint8_t, kByteRows> counting;
    for (std::size_t i = 0; i < kByteRows; ++i) counting[i] = static_cast<std::uint8_t>(i);
    const __m512i numbers = _mm512_maskz_expand_epi8(cuts.rows, _mm512_load_si512(counting.data()));
    for (std::size_t f = 0; f < slots.size(); f += kOrders) {
        const std::size_t n_here = std::min(kOrders, slots.size() - f);
        std::array<const std::uint8_t*, kOrders> order;
        for (std::size_t k = 0; k < kOrders; ++k) {
            order[k] = orders + slots[f + std::min(k, n_here - 1)] * kByteRows + cuts.begin;
        }
        __m512i sum = _mm512_setzero_si512();
        __m512d most = _mm512_set1_pd(-1);
        for (std::size_t from = 0; from <= cuts.last; from += 8) {
            alignas(64) std::array<std::uint64_t, kOrders> eight;  // steps of each order
            for (std::size_t k = 0; k < kOrders; ++k) std::memcpy(&eight[k], order[k] + from, 8);
            __m512i steps = _mm512_permutexvar_epi8(_mm512_load_si512(eight.data()), numbers);
            const std::size_t to = std::min(from + 8, cuts.last + 1);
            for (std::size_t i = from; i < to; ++i, steps = _mm512_srli_epi64(steps, 8)) {
                sum = _mm512_add_epi64(sum, whole[steps]);
                if (i < cuts.first) continue;
                const __m512d d = _mm512_sub_pd(_mm512_cvtepi64_pd(sum), _mm512_set1_pd(cuts.drift[i]));
                const __m512d value = _mm512_mul_pd(_mm512_mul_pd(d, d), _mm512_set1_pd(cuts.factor[i]));
                most = _mm512_max_pd(most, value);
            }
        }
        _mm512_mask_storeu_pd(highest + f, static_cast<__mmask8>((1u << n_here) - 1), most);
    }
}

BOXWOOD_BYTES void weigh_at_once(const std::uint8_t* orders, std::span<const std::size_t> slots, const OrderCuts& cuts,
                                 double* highest) {
    if (cuts.n <= 8) return weigh_eights<1>(orders, slots, cuts, highest);
    if (cuts.n <= 16) return weigh_eights<2>(orders, slots, cuts, highest);
    if (cuts.n <= 32) return weigh_eights<4>(orders, slots, cuts, highest);
    weigh_eights<8>(orders, slots, cuts, highest);
}

BOXWOOD_BYTES void divide_at_once(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                                  const OrderPart& part) {
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

#undef BOXWOOD_BYTES

// Which of the first n bytes of an order, at most 64, name a row of the set: the byte of the set that holds its bit,
// and the bit within it, are looked up for 32 rows at a time. What is said of bytes behind these n means nothing.
__attribute__((target("avx2"))) inline std::uint64_t find_rows(const std::uint8_t* order, std::size_t n,
                                                               std::uint64_t set) {
    const __m256i bytes = _mm256_set1_epi64x(static_cast<long long>(set));
    const __m256i bits = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201u));
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < n; i += 32) {
        const __m256i rows = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(order + i));
        const __m256i place = _mm256_and_si256(_mm256_srli_epi16(rows, 3), _mm256_set1_epi8(7));
        const __m256i bit = _mm256_shuffle_epi8(bits, _mm256_and_si256(rows, _mm256_set1_epi8(7)));
        const __m256i hit = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(bytes, place), bit), bit);
        found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(hit))) << i;
    }
    return found;
}

// Eight bytes at a time: one instruction of BMI2 moves the chosen ones together. They are written in eights; what is
// written behind the part is put back at the end.
__attribute__((target("avx2,bmi2,popcnt"))) void divide_by_eights(const std::uint8_t* from, std::uint8_t* to,
                                                                  std::span<const std::size_t> slots,
                                                                  const OrderPart& part) {
    const auto load = [](const std::uint8_t* place) {
        std::uint64_t word = 0;
        std::memcpy(&word, place, 8);
        return word;
    };
    const auto whole_bytes = [](std::uint64_t bits)
                                 __attribute__((target("bmi2"))) { return _pdep_u64(bits, 0x0101010101010101u) * 255; };
    for (const std::size_t slot : slots) {
        const std::uint8_t* order = from + slot * kByteRows + part.begin;
        std::uint8_t* divided = to + slot * kByteRows + part.begin;
        const std::uint64_t behind = load(divided + part.n);
        const std::uint64_t moves = find_rows(order, part.n, part.right);
        std::uint8_t* left = divided;
        for (std::size_t i = 0; i < part.n; i += 8) {
            const std::uint64_t here = moves >> i & 255u;
            const std::uint64_t packed = _pext_u64(load(order + i), ~whole_bytes(here));
            std::memcpy(left, &packed, 8);
            left += 8 - std::popcount(here);
        }
        std::uint8_t* right = divided + part.n_left;
        for (std::size_t i = 0; i < part.n; i += 8) {
            const std::uint64_t here = moves >> i & 255u;
            const std::uint64_t packed = _pext_u64(load(order + i), whole_bytes(here));
            std::memcpy(right, &packed, 8);
            right += std::popcount(here);
        }
        std::memcpy(divided + part.n, &behind, 8);
    }
}

bool shuffles_bytes() {
    static const bool does = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bitalg") &&
                             __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
    return does;
}
bool packs_bytes() {
    // These have the instruction, but take hundreds of steps for it.
    static const bool slow = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2") || __builtin_cpu_is("bdver4");
    static const bool does =
        !slow && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return does;
}

}  // namespace
#endif

void divide_orders(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                   const OrderPart& part) {
#if defined(BOXWOOD_SHUFFLES_BYTES)
    if (shuffles_bytes()) return divide_at_once(from, to, slots, part);
    if (packs_bytes()) return divide_by_eights(from, to, slots, part);
#endif
    divide_orders_plainly(from, to, slots, part);
}

void weigh_orders(const std::uint8_t* orders, std::span<const std::size_t> slots, const OrderCuts& cuts,
                  double* highest) {
#if defined(BOXWOOD_SHUFFLES_BYTES)
    if (shuffles_bytes()) return weigh_at_once(orders, slots, cuts, highest);
#endif
    weigh_orders_plainly(orders, slots, cuts, highest);
}

}  // namespace boxwood
