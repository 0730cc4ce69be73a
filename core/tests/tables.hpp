// Small tables for the tests: columns that own their cells, and reproducible random ones.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "data/column.hpp"

namespace boxwood {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Column numbers(const std::vector<double>& cells) {
    return {reinterpret_cast<const std::byte*>(cells.data()), sizeof(double), 0, false};
}

inline Column codes(const std::vector<std::int32_t>& cells, std::int32_t n_categories) {
    return {reinterpret_cast<const std::byte*>(cells.data()), sizeof(std::int32_t), n_categories, true};
}

// A table of mixed columns that repeats for the same seed: numeric columns with few and with many distinct
// values, a categorical one, missing cells in all of them, and classes that depend on them a little.
struct RandomTable {
    std::vector<std::vector<double>> numeric;
    std::vector<std::int32_t> category;
    std::vector<std::int32_t> target;
    std::vector<Column> columns;

    RandomTable(std::size_t n_rows, std::size_t n_numeric, std::size_t n_classes, std::uint64_t seed)
        : numeric(n_numeric, std::vector<double>(n_rows)), category(n_rows), target(n_rows) {
        std::mt19937_64 draw(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(draw() % n); };
        for (std::size_t row = 0; row < n_rows; ++row) {
            double signal = 0;
            for (std::size_t j = 0; j < n_numeric; ++j) {
                const std::size_t distinct = j % 2 == 0 ? 7 : 100000;
                const double cell = static_cast<double>(below(distinct)) / static_cast<double>(distinct);
                signal += cell;
                numeric[j][row] = below(12) == 0 ? kNaN : cell;
            }
            category[row] = below(9) == 0 ? kMissing : static_cast<std::int32_t>(below(5));
            signal += 0.2 * category[row];
            const auto noise = static_cast<double>(below(3));
            target[row] = static_cast<std::int32_t>(std::fmod(std::floor(2 * signal + noise + 1), n_classes));
        }
        for (const auto& cells : numeric) columns.push_back(numbers(cells));
        columns.push_back(codes(category, 5));
    }
};

}  // namespace boxwood
