// A column as the caller holds it: a borrowed pointer and a stride.
//
// Numeric cells are float64 (NaN: missing). Categorical cells are int32 codes
// (kMissing: the cell is empty, kUnknown: a value that training never saw).
// Nothing is copied; whoever owns the array keeps it alive during the call.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
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

struct Cell {
    std::int64_t column;
    std::int64_t row;
};

// The first cell (lowest column, then lowest row) that is plus or minus
// infinity, or {-1, -1}. Rows are read in blocks across all columns, so that a
// row-major table passes through the cache once.
Cell find_infinite(std::span<const Column> columns, std::size_t n_rows);

}  // namespace boxwood
