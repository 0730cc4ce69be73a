// 0/1 cells from thresholds of a table's columns.
//
// The solver's table is row by row, a byte per cell, and most of its features
// are thresholds of a few columns. Some rows at a time, each column is read once
// and all its thresholds are asked of it, while the part of the table that is
// written stays in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/column.hpp"

namespace boxwood::optimal {

// The cell is 0 where x <= threshold, else 1; what a missing value is, is told.
struct ThresholdTest {
    std::size_t column;  // of the table; numbers
    std::size_t place;   // of the feature
    double threshold;
    bool missing;
};

// `cells` is n_rows x n_features, row by row; only the features of the tests are written.
void fill_cells(std::span<const Column> columns, std::span<const ThresholdTest> tests, std::size_t n_rows,
                std::uint8_t* cells, std::size_t n_features);

}  // namespace boxwood::optimal
