// 0/1 cells packed into words, and turned from rows into columns.
//
// A table comes row by row, one byte per cell; the solver wants bit columns, in
// an order of its own. Eight bytes become eight bits by one multiplication (the
// products of cell i land on bit 56 + i and nowhere near it), and 64 rows of 64
// bits become 64 columns by swapping halves, quarters, ... of the square
// (Warren, Hacker's Delight, 7-3). So a table is read once, in order, and
// everything after works on an eighth of its bytes.
#pragma once

#include "optimal/rows.hpp"

namespace boxwood::optimal {

class PackedRows {
  public:
    // When `stop` says so, here or later, what is made is of no use.
    PackedRows(const Problem& problem, Stop& stop);

    std::size_t words() const { return words_; }
    // Bit f % 64 of word f / 64 is the row's feature f.
    const Word* row(std::size_t row) const { return bits_.data() + row * words_; }

    // Bit columns of all features, one after the other, of the rows at these places; -1 is a place without a row.
    // The number of places is a multiple of 64.
    std::vector<Word> columns(const std::vector<std::ptrdiff_t>& row_at, Stop& stop) const;

  private:
    std::size_t n_features_, words_;
    std::vector<Word> bits_;
};

// The numbers 0, 1, ... of distinct keys, in the order in which they come first.
class Numbering {
  public:
    explicit Numbering(std::size_t most) {
        std::size_t size = 16;
        while (size < 2 * most) size *= 2;
        slots_.assign(size, 0);
    }

    // `equal(i)` tells whether the key is that of number i.
    template <class Equal>
    std::size_t number(std::uint64_t hash, Equal equal) {
        for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at] == 0) {
                slots_[at] = static_cast<std::uint32_t>(++count_);
                return count_ - 1;
            }
            if (equal(slots_[at] - 1)) return slots_[at] - 1;
        }
    }
    std::size_t count() const { return count_; }

  private:
    std::vector<std::uint32_t> slots_;  // number + 1; 0: free
    std::size_t count_ = 0;
};

}  // namespace boxwood::optimal
