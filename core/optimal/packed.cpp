#include "optimal/packed.hpp"

#include <bit>
#include <cstring>

namespace boxwood::optimal {
namespace {

// Bit i of the result is the i-th of eight cells.
Word eight(const std::uint8_t* cells) {
    if constexpr (std::endian::native == std::endian::little) {
        Word bytes;
        std::memcpy(&bytes, cells, 8);
        return (bytes * 0x0102040810204080ULL) >> 56;
    } else {
        Word bits = 0;
        for (int i = 0; i < 8; ++i) bits |= Word{cells[i]} << i;
        return bits;
    }
}

// Bit j of word i changes places with bit i of word j.
void transpose(Word* square) {
    Word mask = 0x00000000ffffffffULL;
    for (std::size_t half = 32; half != 0; half /= 2, mask ^= mask << half) {
        for (std::size_t i = 0; i < 64; i = ((i | half) + 1) & ~half) {
            const Word swapped = ((square[i] >> half) ^ square[i | half]) & mask;
            square[i] ^= swapped << half;
            square[i | half] ^= swapped;
        }
    }
}

}  // namespace

PackedRows::PackedRows(const Problem& problem, Stop& stop)
    : n_features_(problem.n_features), words_((problem.n_features + 63) / 64), bits_(problem.n_rows * words_, 0) {
    for (std::size_t row = 0; row < problem.n_rows && !stop.after(words_); ++row) {
        const std::uint8_t* cells = problem.cells + row * n_features_;
        Word* bits = bits_.data() + row * words_;
        std::size_t f = 0;
        for (; f + 8 <= n_features_; f += 8) bits[f / 64] |= eight(cells + f) << (f % 64);
        for (; f < n_features_; ++f) bits[f / 64] |= Word{cells[f]} << (f % 64);
    }
}

std::vector<Word> PackedRows::columns(const std::vector<std::ptrdiff_t>& row_at, Stop& stop) const {
    const std::size_t n = row_at.size() / 64;
    std::vector<Word> out(n_features_ * n);
    Word square[64];
    for (std::size_t block = 0; block < n && !stop.after(64 * words_); ++block) {
        for (std::size_t word = 0; word < words_; ++word) {
            for (std::size_t i = 0; i < 64; ++i) {
                const std::ptrdiff_t from = row_at[block * 64 + i];
                square[i] = from < 0 ? 0 : bits_[static_cast<std::size_t>(from) * words_ + word];
            }
            transpose(square);
            for (std::size_t i = 0; i < 64 && word * 64 + i < n_features_; ++i) {
                out[(word * 64 + i) * n + block] = square[i];
            }
        }
    }
    return out;
}

}  // namespace boxwood::optimal
