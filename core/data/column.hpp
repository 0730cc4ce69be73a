// A column as the caller holds it: a borrowed pointer and a stride.
//
// Numeric cells are float64 (NaN: missing). Categorical cells are int32 codes
// (kMissing: the cell is empty, kUnknown: a value that training never saw).
// Nothing is copied; whoever owns the array keeps it alive during the call.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace boxwood {

inline constexpr std::int32_t kMissing = -1;
inline constexpr std::int32_t kUnknown = -2;

struct Column {
    const std::byte* data = nullptr;
    std::ptrdiff_t stride = 0;      // bytes between two rows
    std::int32_t n_categories = 0;  // 0: numeric
    bool categorical = false;

    double number(std::size_t row) const {
        return *reinterpret_cast<const double*>(data + static_cast<std::ptrdiff_t>(row) * stride);
    }
    std::int32_t code(std::size_t row) const {
        return *reinterpret_cast<const std::int32_t*>(data + static_cast<std::ptrdiff_t>(row) * stride);
    }
};

// Columns of numbers that lie evenly apart in memory, as those of an array do.
struct Grid {
    const std::byte* origin = nullptr;
    std::ptrdiff_t row_stride = 0, column_stride = 0;
    std::size_t n_columns = 0;
};
std::optional<Grid> as_grid(std::span<const Column> columns);

struct Cell {
    std::int64_t column;
    std::int64_t row;
};
inline constexpr Cell kNoCell{-1, -1};

// What the numbers of some rows are at worst. `grid` is what as_grid() gave.
enum class Worst { kFinite, kMissing, kInfinite };
Worst worst_number(std::span<const Column> columns, const std::optional<Grid>& grid, std::size_t begin,
                   std::size_t end);

// Brings some rows of a table into the cache in the order of memory, before their columns are read one by one. (The
// rows of a table in Fortran order are no stretch of memory: nothing is done.)
void bring_in(const Grid& grid, std::size_t begin, std::size_t end);

// The first cell (lowest column, then lowest row) that is infinite, or kNoCell.
Cell find_infinite(std::span<const Column> columns, std::size_t n_rows);

}  // namespace boxwood
