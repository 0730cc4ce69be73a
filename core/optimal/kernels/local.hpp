// What a kernel is given: one part of the rows, its columns sorted and oriented,
// with room to work in. Plain pointers only: this header is also read by the
// files that are compiled for one instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood::optimal {

struct LocalSlice {
    std::int32_t plane, shift;
    std::size_t first;  // word, in the local bit columns
};

struct Local {
    // The part in the whole table.
    const std::uint64_t* mask;
    const std::uint32_t* live;  // words of the mask that are not empty
    std::size_t n_live;

    // The columns that are left: by support, each with at most as many ones as zeros.
    std::size_t n, width;                // how many, and that rounded up to whole vectors
    const std::uint64_t* const* column;  // in the whole table
    const std::uint8_t* flipped;
    std::size_t words;            // of a local bit column: the slices one after the other
    std::uint64_t* bits;          // n x words
    std::size_t row_words;        // of a local bit column of rows (not of slices)
    std::uint64_t* row_bits;      // n x row_words; the same as `bits` if slices part the rows
    std::uint8_t* cells;          // row_words * 64 rows x width, 0 or 1
    const std::uint32_t* row_of;  // entry (a bit of `bits`) -> row of `cells`; null: the same

    // The first `n_fresh` columns are to be counted. Pairs of the others have met all third features among the
    // others; their bests are in `settled` (elements of T: for each f, each of the four cells, all g > f).
    std::size_t n_fresh;
    const void* settled;

    // Planes.
    std::size_t n_slices;
    const LocalSlice* slices;
    std::size_t n_planes, n_further;
    const std::int64_t* sums;  // of the part, by plane
    std::int64_t least_sum;
    const std::int64_t* least_further;

    // Room: elements of T (the kernel's number type) unless said otherwise.
    void* single;             // planes x width: sums over the rows with the feature
    void* pairs;              // n x planes x width: over the rows with both features
    void* best;               // n x 4 x width: by (first, second), values of both, see triples.hpp
    void* triple;             // planes x width
    std::uint8_t* packed[4];  // bytes: rows of one feature, some to a byte
    std::uint32_t* listed;    // entries of one feature
    std::uint32_t* starts;    // 4 x (slices + 1)
    void* constants;          // 4 vectors for each plane

    bool (*stop)(void* context);  // asked now and then; true ends the kernel early
    void* context;
};

enum class Form { kSmallestOfTwo, kSmallest, kLargest };

// One instruction set's functions. `count` is for numbers of 1, 2, 4 or 8 bytes (place 0 to 3); null where the
// portable one shall be used.
struct Functions {
    std::size_t vector_bytes;
    std::size_t rows_per_byte;
    // How many rows of the part have each feature, and a hash of which (linear in the mask, so that the hash of
    // the complement is the mask's own hash minus it).
    void (*support)(const std::uint64_t* columns, std::size_t n_columns, std::size_t n_words, const Local& local,
                    const std::uint64_t* multipliers, std::uint32_t* count, std::uint64_t* hash);
    // Fill one slice of the local bit columns; `inside` is the slice's mask from word `begin` to `end` of the table.
    void (*compact)(const Local& local, std::uint64_t* bits, std::size_t words, std::size_t first,
                    const std::uint64_t* inside, std::size_t begin, std::size_t end);
    void (*expand)(const Local& local);  // cells from row_bits
    // Singles and pairs (depth 2), then triples (depth 3); false if stopped.
    bool (*count[4])(const Local& local, Form form, bool masked, int depth);
};

const Functions& portable_functions();
const Functions* avx2_functions();    // null if this program or this machine has none
const Functions* avx512_functions();  // likewise

}  // namespace boxwood::optimal
