// Random tables for the core's tests, and the comparison of trees.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "data/column.hpp"
#include "grow/grow.hpp"

namespace tables {

struct Table {
    std::vector<double> numbers;      // row-major, the numeric columns
    std::vector<std::int32_t> codes;  // row-major, the categorical columns
    std::vector<boxwood::Column> columns;
    std::vector<std::int32_t> target;
    std::vector<double> weights;
    std::size_t n_rows = 0, n_classes = 0;

    boxwood::Problem problem(bool weighted) const {
        boxwood::Problem out{columns, n_rows, target, n_classes, {}};
        if (weighted) out.weights = weights;
        return out;
    }
};

// Numbers: 0 few values, 1 many with ties, 2 all different. Two categorical columns: few and many values.
inline Table make(std::size_t n_rows, std::size_t n_classes, double missing, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit;
    std::normal_distribution<double> normal;
    Table table;
    table.n_rows = n_rows;
    table.n_classes = n_classes;
    constexpr std::size_t kNumbers = 3, kCodes = 2;
    const std::int32_t n_categories[kCodes] = {7, 400};
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double x = normal(random);
        const double cells[kNumbers] = {std::floor(unit(random) * 12), std::round(x * 300) / 300, normal(random)};
        for (const double cell : cells) {
            table.numbers.push_back(unit(random) < missing ? std::numeric_limits<double>::quiet_NaN() : cell);
        }
        for (const std::int32_t n : n_categories) {
            const auto code = static_cast<std::int32_t>(unit(random) * n);
            table.codes.push_back(unit(random) < missing ? boxwood::kMissing : code);
        }
        const double signal = x + (cells[0] > 6 ? 1 : 0) + 0.5 * normal(random);
        const auto label = static_cast<std::int64_t>(std::floor(std::fabs(signal) * 1.5));
        table.target.push_back(static_cast<std::int32_t>(label % static_cast<std::int64_t>(n_classes)));
        table.weights.push_back(std::floor(1 + unit(random) * 8) / 4);
    }
    for (std::size_t j = 0; j < kNumbers; ++j) {
        table.columns.push_back({reinterpret_cast<const std::byte*>(table.numbers.data() + j),
                                 static_cast<std::ptrdiff_t>(kNumbers * sizeof(double)), 0, false});
    }
    for (std::size_t j = 0; j < kCodes; ++j) {
        table.columns.push_back({reinterpret_cast<const std::byte*>(table.codes.data() + j),
                                 static_cast<std::ptrdiff_t>(kCodes * sizeof(std::int32_t)), n_categories[j], true});
    }
    return table;
}

// Trees that are equal to the last bit, and were found among as many cuts.
inline bool same(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

inline bool same(const boxwood::GrownTree& a, const boxwood::GrownTree& b) {
    return a.kind == b.kind && a.feature == b.feature && same(a.threshold, b.threshold) &&
           a.first_child == b.first_child && a.missing_branch == b.missing_branch &&
           a.unknown_branch == b.unknown_branch && a.category_code == b.category_code &&
           a.category_branch == b.category_branch && a.n_rows == b.n_rows && same(a.sums, b.sums) &&
           same(a.answer, b.answer) && same(a.weight, b.weight) && same(a.impurity, b.impurity) &&
           same(a.score, b.score) && a.n_cuts == b.n_cuts;
}

}  // namespace tables
