#include "grow/partition.hpp"

#include <bit>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(BOXWOOD_PORTABLE)
#define BOXWOOD_COMPRESSES_WORDS
// The compiler's own header starts some results uninitialised on purpose, and warns about it.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#endif

namespace boxwood {

#if defined(BOXWOOD_COMPRESSES_WORDS)
namespace {

// Which of sixteen rows are in the set.
__attribute__((target("avx512f"))) inline __mmask16 find_rows(__m512i rows, RowBits second) {
    const __m512i words = _mm512_i32gather_epi32(_mm512_srli_epi32(rows, 5), second, 4);
    const __m512i bits = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(rows, _mm512_set1_epi32(31)));
    return _mm512_test_epi32_mask(words, bits);
}

// Lists of four bytes an item; the row is in the bits of `mask`. A block is written where it was read or before, so
// that no item is lost that has not been read.
template <class T>
__attribute__((target("avx512f"))) void divide_words(T* items, std::size_t n, RowBits second, T* spare,
                                                     std::uint32_t mask) {
    static_assert(sizeof(T) == 4);
    const __m512i row_bits = _mm512_set1_epi32(static_cast<int>(mask));
    std::size_t i = 0, kept = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512i block = _mm512_loadu_si512(items + i);
        const __mmask16 moves = find_rows(_mm512_and_si512(block, row_bits), second);
        _mm512_storeu_si512(items + kept, _mm512_maskz_compress_epi32(_knot_mask16(moves), block));
        _mm512_storeu_si512(spare + (i - kept), _mm512_maskz_compress_epi32(moves, block));
        kept += 16 - static_cast<std::size_t>(std::popcount(static_cast<unsigned>(moves)));
    }
    divide_plainly(items, n, second, spare, i, kept);
}

// Lists of eight bytes an item, the row in the first four.
__attribute__((target("avx512f"))) void divide_pairs(Item<std::uint32_t>* items, std::size_t n, RowBits second,
                                                     Item<std::uint32_t>* spare) {
    const __m512i evens = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    std::size_t i = 0, kept = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512i low = _mm512_loadu_si512(items + i), high = _mm512_loadu_si512(items + i + 8);
        const auto moves = static_cast<unsigned>(find_rows(_mm512_permutex2var_epi32(low, evens, high), second));
        const auto first = static_cast<__mmask8>(moves), last = static_cast<__mmask8>(moves >> 8);
        const std::size_t low_moves = static_cast<std::size_t>(std::popcount(moves & 255u));
        const std::size_t waiting = i - kept;
        _mm512_storeu_si512(items + kept, _mm512_maskz_compress_epi64(static_cast<__mmask8>(~first), low));
        _mm512_storeu_si512(spare + waiting, _mm512_maskz_compress_epi64(first, low));
        kept += 8 - low_moves;
        _mm512_storeu_si512(items + kept, _mm512_maskz_compress_epi64(static_cast<__mmask8>(~last), high));
        _mm512_storeu_si512(spare + waiting + low_moves, _mm512_maskz_compress_epi64(last, high));
        kept += 8 - static_cast<std::size_t>(std::popcount(moves >> 8));
    }
    divide_plainly(items, n, second, spare, i, kept);
}

bool compresses_words() {
    static const bool does = __builtin_cpu_supports("avx512f");
    return does;
}

}  // namespace
#endif

void divide_list(std::uint16_t* rows, std::size_t n, RowBits second, std::uint16_t* spare) {
    divide_plainly(rows, n, second, spare);
}

void divide_list(std::uint32_t* rows, std::size_t n, RowBits second, std::uint32_t* spare) {
#if defined(BOXWOOD_COMPRESSES_WORDS)
    if (compresses_words()) return divide_words(rows, n, second, spare, ~std::uint32_t{0});
#endif
    divide_plainly(rows, n, second, spare);
}

void divide_list(Item<std::uint16_t>* items, std::size_t n, RowBits second, Item<std::uint16_t>* spare) {
#if defined(BOXWOOD_COMPRESSES_WORDS)
    if (compresses_words()) return divide_words(items, n, second, spare, 0xFFFF);
#endif
    divide_plainly(items, n, second, spare);
}

void divide_list(Item<std::uint32_t>* items, std::size_t n, RowBits second, Item<std::uint32_t>* spare) {
#if defined(BOXWOOD_COMPRESSES_WORDS)
    if (compresses_words()) return divide_pairs(items, n, second, spare);
#endif
    divide_plainly(items, n, second, spare);
}

}  // namespace boxwood
