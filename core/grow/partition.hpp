// Stable partition of a node's lists in two, in place, by a set of rows as bits.
//
// Every level of a tree moves every item of every list once, so this is a third
// of the work of growing a deep tree. A bit per row is what the lists read at
// random: an eighth of what bytes would take in the cache. AVX-512 looks sixteen
// rows up at once and moves the chosen items together with one instruction, AVX2
// eight, with places from a table (chosen when the program starts); elsewhere an
// item at a time, with the same result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/ranks.hpp"

namespace boxwood {

// How many items more than a list has must find room in `spare`: moved items are written in blocks.
inline constexpr std::size_t kPartitionSlack = 16;

// The rows that go behind the others: bit row % 32 of word row / 32.
using RowBits = const std::uint32_t*;

inline bool has_row(RowBits rows, std::size_t row) {
    return (rows[row / 32] >> (row % 32) & 1) != 0;
}

// Items whose row is in the set go behind the others; `spare` has room for `n` items and kPartitionSlack more.
void divide_list(std::uint16_t* rows, std::size_t n, RowBits second, std::uint16_t* spare);
void divide_list(std::uint32_t* rows, std::size_t n, RowBits second, std::uint32_t* spare);
void divide_list(Item<std::uint16_t>* items, std::size_t n, RowBits second, Item<std::uint16_t>* spare);
void divide_list(Item<std::uint32_t>* items, std::size_t n, RowBits second, Item<std::uint32_t>* spare);

// The same, an item at a time. The items before `from` have been divided already: `kept` of them stay in front, the
// others wait in `spare`.
template <class T>
void divide_plainly(T* items, std::size_t n, RowBits second, T* spare, std::size_t from = 0, std::size_t kept = 0) {
    const auto row_of = [](const T& item) -> std::size_t {
        if constexpr (requires { item.row; }) {
            return item.row;
        } else {
            return item;
        }
    };
    std::size_t waiting = from - kept;
    for (std::size_t i = from; i < n; ++i) {
        const T item = items[i];
        const std::size_t moves = has_row(second, row_of(item)) ? 1 : 0;
        items[kept] = item;
        spare[waiting] = item;
        kept += moves ^ 1;
        waiting += moves;
    }
    for (std::size_t i = 0; i < waiting; ++i) items[kept + i] = spare[i];
}

}  // namespace boxwood
