#include "optimal/cells.hpp"

#include <algorithm>
#include <vector>

namespace boxwood::optimal {

void fill_cells(std::span<const Column> columns, std::span<const ThresholdTest> tests, std::size_t n_rows,
                std::uint8_t* cells, std::size_t n_features) {
    constexpr std::size_t kRows = 256;
    std::vector<ThresholdTest> by_column(tests.begin(), tests.end());
    std::stable_sort(by_column.begin(), by_column.end(),
                     [](const ThresholdTest& a, const ThresholdTest& b) { return a.column < b.column; });
    double x[kRows];
    for (std::size_t begin = 0; begin < n_rows; begin += kRows) {
        const std::size_t n = std::min(kRows, n_rows - begin);
        for (std::size_t i = 0; i < by_column.size(); ++i) {
            const ThresholdTest& test = by_column[i];
            if (i == 0 || by_column[i - 1].column != test.column) {
                for (std::size_t row = 0; row < n; ++row) x[row] = columns[test.column].number(begin + row);
            }
            std::uint8_t* out = cells + begin * n_features + test.place;
            if (test.missing) {
                for (std::size_t row = 0; row < n; ++row) out[row * n_features] = !(x[row] <= test.threshold);
            } else {
                for (std::size_t row = 0; row < n; ++row) out[row * n_features] = x[row] > test.threshold;
            }
        }
    }
}

}  // namespace boxwood::optimal
