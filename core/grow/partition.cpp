#include "grow/partition.hpp"

#include <array>
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

// AVX2 has no instruction that moves chosen items together, but one that moves any to any place: for every choice of
// eight, the chosen ones' places in order, a byte each.
constexpr std::array<std::uint64_t, 256> kChosen = [] {
    std::array<std::uint64_t, 256> table{};
    for (unsigned choice = 0; choice < 256; ++choice) {
        unsigned next = 0;
        for (std::uint64_t place = 0; place < 8; ++place) {
            if ((choice >> place & 1) != 0) table[choice] |= place << 8 * next++;
        }
    }
    return table;
}();

// The same for every choice of four items of two words each.
constexpr std::array<std::uint64_t, 16> kChosenPairs = [] {
    std::array<std::uint64_t, 16> table{};
    for (unsigned choice = 0; choice < 16; ++choice) {
        unsigned next = 0;
        for (std::uint64_t place = 0; place < 4; ++place) {
            if ((choice >> place & 1) != 0) table[choice] |= (2 * place | (2 * place + 1) << 8) << 16 * next++;
        }
    }
    return table;
}();

__attribute__((target("avx2"))) inline __m256i choose_words(__m256i block, std::uint64_t places) {
    return _mm256_permutevar8x32_epi32(block, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(places))));
}

// Which of eight rows are in the set.
__attribute__((target("avx2"))) inline unsigned find_eight_rows(__m256i rows, RowBits second) {
    const __m256i words = _mm256_i32gather_epi32(reinterpret_cast<const int*>(second), _mm256_srli_epi32(rows, 5), 4);
    // The row's bit becomes the highest one. Shifts by 31 - row % 32, of which the instruction looks at all bits.
    const __m256i shifts = _mm256_andnot_si256(rows, _mm256_set1_epi32(31));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, shifts))));
}

template <class T>
__attribute__((target("avx2,popcnt"))) void divide_words_by_eight(T* items, std::size_t n, RowBits second, T* spare,
                                                                  std::uint32_t mask) {
    static_assert(sizeof(T) == 4);
    const __m256i row_bits = _mm256_set1_epi32(static_cast<int>(mask));
    std::size_t i = 0, kept = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(items + i));
        const unsigned moves = find_eight_rows(_mm256_and_si256(block, row_bits), second);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(items + kept), choose_words(block, kChosen[moves ^ 255u]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(spare + (i - kept)), choose_words(block, kChosen[moves]));
        kept += 8 - static_cast<std::size_t>(std::popcount(moves));
    }
    divide_plainly(items, n, second, spare, i, kept);
}

__attribute__((target("avx2,popcnt"))) void divide_pairs_by_four(Item<std::uint32_t>* items, std::size_t n,
                                                                 RowBits second, Item<std::uint32_t>* spare) {
    std::size_t i = 0, kept = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(items + i));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(items + i + 4));
        // Rows 0, 1 of low, 0, 1 of high, 2, 3 of low, 2, 3 of high: the instruction works by halves.
        const __m256i rows = _mm256_castps_si256(
            _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), _MM_SHUFFLE(2, 0, 2, 0)));
        const unsigned moves = find_eight_rows(rows, second);
        const unsigned first = (moves & 3u) | (moves >> 2 & 12u), last = (moves >> 2 & 3u) | (moves >> 4 & 12u);
        const auto first_moves = static_cast<std::size_t>(std::popcount(first));
        const std::size_t waiting = i - kept;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(items + kept), choose_words(low, kChosenPairs[first ^ 15u]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(spare + waiting), choose_words(low, kChosenPairs[first]));
        kept += 4 - first_moves;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(items + kept), choose_words(high, kChosenPairs[last ^ 15u]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(spare + waiting + first_moves),
                            choose_words(high, kChosenPairs[last]));
        kept += 4 - static_cast<std::size_t>(std::popcount(last));
    }
    divide_plainly(items, n, second, spare, i, kept);
}

bool compresses_words() {
    static const bool does = __builtin_cpu_supports("avx512f");
    return does;
}
bool permutes_words() {
    static const bool does = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
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
    if (permutes_words()) return divide_words_by_eight(rows, n, second, spare, ~std::uint32_t{0});
#endif
    divide_plainly(rows, n, second, spare);
}

void divide_list(Item<std::uint16_t>* items, std::size_t n, RowBits second, Item<std::uint16_t>* spare) {
#if defined(BOXWOOD_COMPRESSES_WORDS)
    if (compresses_words()) return divide_words(items, n, second, spare, 0xFFFF);
    if (permutes_words()) return divide_words_by_eight(items, n, second, spare, 0xFFFF);
#endif
    divide_plainly(items, n, second, spare);
}

void divide_list(Item<std::uint32_t>* items, std::size_t n, RowBits second, Item<std::uint32_t>* spare) {
#if defined(BOXWOOD_COMPRESSES_WORDS)
    if (compresses_words()) return divide_pairs(items, n, second, spare);
    if (permutes_words()) return divide_pairs_by_four(items, n, second, spare);
#endif
    divide_plainly(items, n, second, spare);
}

}  // namespace boxwood
