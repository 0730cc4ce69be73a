// The kernels for x86 with AVX2 and BMI2: 32 bytes to a vector, four rows to a
// byte, counted by a shuffle that looks popcount(i & v) up in a table of 16.
#include "optimal/kernels/local.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(BOXWOOD_PORTABLE)

#include <immintrin.h>

#include <cstring>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

namespace boxwood::optimal {
namespace {

template <class T>
struct Lanes {
    using V = __m256i;

    static V load(const T* p) { return _mm256_loadu_si256(reinterpret_cast<const V*>(p)); }
    static void store(T* p, V v) { _mm256_storeu_si256(reinterpret_cast<V*>(p), v); }
    static V zero() { return _mm256_setzero_si256(); }
    static V ones() { return _mm256_set1_epi8(-1); }
    static V either(V a, V b) { return _mm256_or_si256(a, b); }
    static V without(V a, V b) { return _mm256_andnot_si256(b, a); }
    static V set(T x) {
        if constexpr (sizeof(T) == 1) return _mm256_set1_epi8(static_cast<char>(x));
        if constexpr (sizeof(T) == 2) return _mm256_set1_epi16(static_cast<short>(x));
        if constexpr (sizeof(T) == 4) return _mm256_set1_epi32(static_cast<int>(x));
    }
    static V add(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm256_add_epi8(a, b);
        if constexpr (sizeof(T) == 2) return _mm256_add_epi16(a, b);
        if constexpr (sizeof(T) == 4) return _mm256_add_epi32(a, b);
    }
    static V sub(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm256_sub_epi8(a, b);
        if constexpr (sizeof(T) == 2) return _mm256_sub_epi16(a, b);
        if constexpr (sizeof(T) == 4) return _mm256_sub_epi32(a, b);
    }
    static V min(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm256_min_epu8(a, b);
        if constexpr (sizeof(T) == 2) return _mm256_min_epu16(a, b);
        if constexpr (sizeof(T) == 4) return _mm256_min_epu32(a, b);
    }
    static V max(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm256_max_epu8(a, b);
        if constexpr (sizeof(T) == 2) return _mm256_max_epu16(a, b);
        if constexpr (sizeof(T) == 4) return _mm256_max_epu32(a, b);
    }
    static V equal(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm256_cmpeq_epi8(a, b);
        if constexpr (sizeof(T) == 2) return _mm256_cmpeq_epi16(a, b);
        if constexpr (sizeof(T) == 4) return _mm256_cmpeq_epi32(a, b);
    }
    static V less(V a, V b) { return without(ones(), equal(max(a, b), a)); }
    // One number of a vector: halved until 16 bytes are left, which one instruction searches (16 bits at a time).
    static T smallest(V a) {
        const V swapped = min(a, _mm256_permute2x128_si256(a, a, 1));
        __m128i half = _mm256_castsi256_si128(swapped);
        if constexpr (sizeof(T) == 4) {
            __m128i x = _mm_min_epu32(half, _mm_srli_si128(half, 8));
            x = _mm_min_epu32(x, _mm_srli_si128(x, 4));
            return static_cast<T>(_mm_cvtsi128_si32(x));
        } else {
            if constexpr (sizeof(T) == 1) half = _mm_min_epu8(half, _mm_srli_epi16(half, 8));
            return static_cast<T>(_mm_cvtsi128_si32(_mm_minpos_epu16(half)));
        }
    }
    // The largest of all is the complement of the smallest complement.
    static T largest(V a) { return static_cast<T>(~smallest(without(ones(), a))); }
};

// at[v][i]: how many rows the nibbles v and i share; twice, for both halves of a vector.
struct Matches {
    alignas(32) std::uint8_t at[16][32] = {};
    constexpr Matches() {
        for (unsigned v = 0; v < 16; ++v) {
            for (unsigned i = 0; i < 32; ++i) {
                const unsigned both = v & i & 15;
                at[v][i] = static_cast<std::uint8_t>((both & 1) + (both >> 1 & 1) + (both >> 2 & 1) + (both >> 3));
            }
        }
    }
};
constexpr Matches kMatches;

struct Simd {
    static constexpr std::size_t kBytes = 32, kRows = 4;
    using Bytes = Lanes<std::uint8_t>;
    using V = __m256i;

    static int popcount(std::uint64_t word) { return static_cast<int>(_mm_popcnt_u64(word)); }
    static int lowest(std::uint64_t word) { return static_cast<int>(_tzcnt_u64(word)); }
    static std::uint64_t extract(std::uint64_t word, std::uint64_t chosen) { return _pext_u64(word, chosen); }
    static V load(const std::uint8_t* p) { return Bytes::load(p); }
    static void store(std::uint8_t* p, V v) { Bytes::store(p, v); }
    static V zero() { return Bytes::zero(); }
    static V add(V a, V b) { return Bytes::add(a, b); }
    static V key(std::uint8_t rows) { return Bytes::load(kMatches.at[rows]); }
    static V match(V key, V rows) { return _mm256_shuffle_epi8(key, rows); }

    template <class T, bool kAdd>
    static void put(T* out, V counts, int shift) {
        using L = Lanes<T>;
        const auto write = [&](T* at, V wide) { L::store(at, kAdd ? L::add(L::load(at), wide) : wide); };
        if constexpr (sizeof(T) == 1) {
            for (int i = 0; i < shift; ++i) counts = L::add(counts, counts);
            write(out, counts);
        } else if constexpr (sizeof(T) == 2) {
            write(out, _mm256_slli_epi16(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(counts)), shift));
            write(out + 16, _mm256_slli_epi16(_mm256_cvtepu8_epi16(_mm256_extracti128_si256(counts, 1)), shift));
        } else {
            const __m128i low = _mm256_castsi256_si128(counts), high = _mm256_extracti128_si256(counts, 1);
            write(out, _mm256_slli_epi32(_mm256_cvtepu8_epi32(low), shift));
            write(out + 8, _mm256_slli_epi32(_mm256_cvtepu8_epi32(_mm_srli_si128(low, 8)), shift));
            write(out + 16, _mm256_slli_epi32(_mm256_cvtepu8_epi32(high), shift));
            write(out + 24, _mm256_slli_epi32(_mm256_cvtepu8_epi32(_mm_srli_si128(high, 8)), shift));
        }
    }
    template <class T>
    static void set_to(T* out, V counts, int shift) {
        put<T, false>(out, counts, shift);
    }
    template <class T>
    static void add_to(T* out, V counts, int shift) {
        put<T, true>(out, counts, shift);
    }
};

#include "optimal/kernels/triples.hpp"

constexpr Functions kFunctions{
    Simd::kBytes, Simd::kRows, support,
    compact,      expand,      {count<std::uint8_t>, count<std::uint16_t>, count<std::uint32_t>, nullptr}};

}  // namespace
}  // namespace boxwood::optimal

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace boxwood::optimal {

const Functions* avx2_functions() {
    const bool there =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return there ? &kFunctions : nullptr;
}

}  // namespace boxwood::optimal

#else

namespace boxwood::optimal {

const Functions* avx2_functions() {
    return nullptr;
}

}  // namespace boxwood::optimal

#endif
