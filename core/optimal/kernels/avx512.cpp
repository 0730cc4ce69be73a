// The kernels for x86 with AVX-512 (BW and BITALG): 64 bytes to a vector, eight
// rows to a byte, counted by a population count of bytes.
#include "optimal/kernels/local.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(BOXWOOD_PORTABLE)

// The compiler's own header starts some results uninitialised on purpose, and warns about it.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include <cstring>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512bitalg,bmi,bmi2,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512bitalg,bmi,bmi2,popcnt")
#endif

namespace boxwood::optimal {
namespace {

template <class T>
struct Lanes {
    using V = __m512i;

    static V load(const T* p) { return _mm512_loadu_si512(p); }
    static void store(T* p, V v) { _mm512_storeu_si512(p, v); }
    static V zero() { return _mm512_setzero_si512(); }
    static V ones() { return _mm512_set1_epi8(-1); }
    static V either(V a, V b) { return _mm512_or_si512(a, b); }
    static V without(V a, V b) { return _mm512_andnot_si512(b, a); }
    static V set(T x) {
        if constexpr (sizeof(T) == 1) return _mm512_set1_epi8(static_cast<char>(x));
        if constexpr (sizeof(T) == 2) return _mm512_set1_epi16(static_cast<short>(x));
        if constexpr (sizeof(T) == 4) return _mm512_set1_epi32(static_cast<int>(x));
    }
    static V add(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm512_add_epi8(a, b);
        if constexpr (sizeof(T) == 2) return _mm512_add_epi16(a, b);
        if constexpr (sizeof(T) == 4) return _mm512_add_epi32(a, b);
    }
    static V sub(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm512_sub_epi8(a, b);
        if constexpr (sizeof(T) == 2) return _mm512_sub_epi16(a, b);
        if constexpr (sizeof(T) == 4) return _mm512_sub_epi32(a, b);
    }
    static V min(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm512_min_epu8(a, b);
        if constexpr (sizeof(T) == 2) return _mm512_min_epu16(a, b);
        if constexpr (sizeof(T) == 4) return _mm512_min_epu32(a, b);
    }
    static V max(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm512_max_epu8(a, b);
        if constexpr (sizeof(T) == 2) return _mm512_max_epu16(a, b);
        if constexpr (sizeof(T) == 4) return _mm512_max_epu32(a, b);
    }
    static V less(V a, V b) {
        if constexpr (sizeof(T) == 1) return _mm512_movm_epi8(_mm512_cmplt_epu8_mask(a, b));
        if constexpr (sizeof(T) == 2) return _mm512_movm_epi16(_mm512_cmplt_epu16_mask(a, b));
        if constexpr (sizeof(T) == 4) return _mm512_maskz_set1_epi32(_mm512_cmplt_epu32_mask(a, b), -1);
    }
    // One number of a vector: halved until 16 bytes are left, which one instruction searches (16 bits at a time).
    static T smallest(V a) {
        V folded = min(a, _mm512_shuffle_i64x2(a, a, 0x4e));
        folded = min(folded, _mm512_shuffle_i64x2(folded, folded, 0xb1));
        __m128i half = _mm512_castsi512_si128(folded);
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

struct Simd {
    static constexpr std::size_t kBytes = 64, kRows = 8;
    using Bytes = Lanes<std::uint8_t>;
    using V = __m512i;

    static int popcount(std::uint64_t word) { return static_cast<int>(_mm_popcnt_u64(word)); }
    static int lowest(std::uint64_t word) { return static_cast<int>(_tzcnt_u64(word)); }
    static std::uint64_t extract(std::uint64_t word, std::uint64_t chosen) { return _pext_u64(word, chosen); }
    static V load(const std::uint8_t* p) { return Bytes::load(p); }
    static void store(std::uint8_t* p, V v) { Bytes::store(p, v); }
    static V zero() { return Bytes::zero(); }
    static V add(V a, V b) { return Bytes::add(a, b); }
    static V key(std::uint8_t rows) { return Bytes::set(rows); }
    static V match(V key, V rows) { return _mm512_popcnt_epi8(_mm512_and_si512(key, rows)); }

    template <class T, bool kAdd>
    static void put(T* out, V counts, int shift) {
        using L = Lanes<T>;
        const auto write = [&](T* at, V wide) { L::store(at, kAdd ? L::add(L::load(at), wide) : wide); };
        if constexpr (sizeof(T) == 1) {
            for (int i = 0; i < shift; ++i) counts = L::add(counts, counts);
            write(out, counts);
        } else if constexpr (sizeof(T) == 2) {
            const auto by = static_cast<unsigned>(shift);
            write(out, _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(counts)), by));
            write(out + 32, _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(counts, 1)), by));
        } else {
            const auto by = static_cast<unsigned>(shift);
            write(out, _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(counts)), by));
            write(out + 16, _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(counts, 1)), by));
            write(out + 32, _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(counts, 2)), by));
            write(out + 48, _mm512_slli_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(counts, 3)), by));
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

const Functions* avx512_functions() {
    const bool there = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bitalg") &&
                       __builtin_cpu_supports("bmi2");
    return there ? &kFunctions : nullptr;
}

}  // namespace boxwood::optimal

#else

namespace boxwood::optimal {

const Functions* avx512_functions() {
    return nullptr;
}

}  // namespace boxwood::optimal

#endif
