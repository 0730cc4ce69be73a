// Columns put in order once, before growth.
//
// A greedy grower only needs the order of a column's values, and each column is
// kept in the cheaper of two forms:
//   coded   at most 255 distinct values: one byte per row, the rank of its value
//           (the number of values where it is missing). All coded columns lie in
//           one row-major matrix, so that a row's codes share a cache line.
//   sorted  more values: the rows in value order, each with the rank of its
//           value; rows without a value stand at the end, in row order, with
//           rank kNoRank.
// Categorical columns have both forms too, with the category code as "value".
//
// Few-valued columns are found by a small hash table that gives up at the 256th
// value. The others are sorted by the order-preserving integer of the float64:
// digit by digit where those integers are short (whole numbers in a narrow
// range), otherwise as key_sort.hpp says. O(rows) per column.
// Float64 is compared in full: values that differ in the last bit have two ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/buffer.hpp"
#include "data/column.hpp"
#include "threads/monitor.hpp"
#include "threads/team.hpp"

namespace boxwood {

template <class Index>
struct Item {
    Index row;
    Index rank;  // growth keeps the class beside it, see Sample
};

template <class Index>
inline constexpr Index kNoRank = std::numeric_limits<Index>::max();

inline constexpr std::size_t kMostCoded = 255;

struct RankedColumn {
    bool categorical = false;
    bool coded = false;
    bool has_missing = false;
    std::size_t n_values = 0;    // coded: distinct values (categories), which is also the code of a missing cell
    std::size_t slot = 0;        // which coded or which sorted column
    std::vector<double> values;  // coded numeric: the value of each rank
};

template <class Index>
struct RankedTable {
    std::size_t n_rows = 0;
    std::vector<RankedColumn> columns;
    std::size_t n_coded = 0;
    Buffer<std::uint8_t> codes;               // n_rows x n_coded, row-major
    std::vector<Stream<Item<Index>>> sorted;  // one list of n_rows items per sorted column
};

// n_rows must be below kNoRank<Index>. Throws std::domain_error if a number is infinite: the smallest and the
// largest value of a column are known here for nothing.
template <class Index>
RankedTable<Index> rank_columns(std::span<const Column> columns, std::size_t n_rows, Team& team, Monitor& monitor);

extern template RankedTable<std::uint16_t> rank_columns(std::span<const Column>, std::size_t, Team&, Monitor&);
extern template RankedTable<std::uint32_t> rank_columns(std::span<const Column>, std::size_t, Team&, Monitor&);

}  // namespace boxwood
