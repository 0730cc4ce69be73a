#include "data/column.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "simd.hpp"

namespace boxwood {
namespace {

// Infinities and NaN have all exponent bits set.
BOXWOOD_CLONES bool all_finite(const double* cells, std::size_t n) {
    constexpr std::int64_t kExponent = 0x7FF0'0000'0000'0000;
    std::int64_t found = 0;
    for (std::size_t i = 0; i < n; ++i) {
        found |= (std::bit_cast<std::int64_t>(cells[i]) & kExponent) == kExponent ? 1 : 0;
    }
    return found == 0;
}

const double* cells_at(const std::byte* place) {
    return reinterpret_cast<const double*>(place);
}

}  // namespace

std::optional<Grid> as_grid(std::span<const Column> columns) {
    if (columns.empty()) return std::nullopt;
    const auto place = [&](std::size_t j) { return reinterpret_cast<std::intptr_t>(columns[j].data); };
    const std::intptr_t apart = columns.size() > 1 ? place(1) - place(0) : 0;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical || columns[j].stride != columns[0].stride ||
            place(j) != place(0) + static_cast<std::intptr_t>(j) * apart) {
            return std::nullopt;
        }
    }
    return Grid{columns[0].data, columns[0].stride, apart, columns.size()};
}

Worst worst_number(std::span<const Column> columns, const std::optional<Grid>& grid, std::size_t begin,
                   std::size_t end) {
    constexpr std::ptrdiff_t kSide = sizeof(double);
    const bool rows_in_line = grid && grid->column_stride == kSide;
    if (rows_in_line && grid->row_stride == kSide * static_cast<std::ptrdiff_t>(grid->n_columns)) {
        const std::byte* first = grid->origin + static_cast<std::ptrdiff_t>(begin) * grid->row_stride;
        if (all_finite(cells_at(first), (end - begin) * grid->n_columns)) return Worst::kFinite;
    } else if (rows_in_line) {
        bool finite = true;
        for (std::size_t row = begin; row < end; ++row) {
            const std::byte* first = grid->origin + static_cast<std::ptrdiff_t>(row) * grid->row_stride;
            finite &= all_finite(cells_at(first), grid->n_columns);
        }
        if (finite) return Worst::kFinite;
    }
    bool missing = false;
    for (const Column& column : columns) {
        if (column.categorical) continue;
        if (column.stride == kSide && all_finite(cells_at(column.data) + begin, end - begin)) continue;
        for (std::size_t row = begin; row < end; ++row) {
            const double x = column.number(row);
            if (std::isinf(x)) return Worst::kInfinite;
            missing |= std::isnan(x);
        }
    }
    return missing ? Worst::kMissing : Worst::kFinite;
}

void bring_in(const Grid& grid, std::size_t begin, std::size_t end) {
    constexpr std::ptrdiff_t kCacheLine = 64;
    const auto width = static_cast<std::ptrdiff_t>(grid.n_columns * sizeof(double));
    if (grid.column_stride != static_cast<std::ptrdiff_t>(sizeof(double)) || grid.row_stride < width) return;
    auto met = std::byte{};
    for (std::size_t row = begin; row < end; ++row) {
        const std::byte* first = grid.origin + static_cast<std::ptrdiff_t>(row) * grid.row_stride;
        for (std::ptrdiff_t at = 0; at < width; at += kCacheLine) met |= first[at];
    }
    [[maybe_unused]] const volatile std::byte used = met;  // or the reads would be left out
}

Cell find_infinite(std::span<const Column> columns, std::size_t n_rows) {
    const auto grid = as_grid(columns);
    // Blocks of rows across all columns, so that a row-major table passes through the cache once.
    constexpr std::size_t kBlock = 256;
    std::size_t block = 0;
    while (block < n_rows && worst_number(columns, grid, block, std::min(n_rows, block + kBlock)) != Worst::kInfinite) {
        block += kBlock;
    }
    if (block >= n_rows) return kNoCell;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical) continue;
        for (std::size_t row = block; row < n_rows; ++row) {
            if (std::isinf(columns[j].number(row)))
                return {static_cast<std::int64_t>(j), static_cast<std::int64_t>(row)};
        }
    }
    return kNoCell;
}

}  // namespace boxwood
