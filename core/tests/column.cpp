#include "data/column.hpp"

#include <limits>

#include "check.hpp"

using namespace boxwood;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Column numbers(const std::vector<double>& cells) {
    return {reinterpret_cast<const std::byte*>(cells.data()), sizeof(double), 0, false};
}

Column codes(const std::vector<std::int32_t>& cells, std::int32_t n_categories) {
    return {reinterpret_cast<const std::byte*>(cells.data()), sizeof(std::int32_t), n_categories, true};
}

void expect(const std::vector<Column>& columns, std::size_t n_rows, std::int64_t column, std::int64_t row) {
    const Cell found = find_infinite(columns, n_rows);
    CHECK_EQUAL(found.column, column);
    CHECK_EQUAL(found.row, row);
}

}  // namespace

CASE("a column is read through its stride, forwards and backwards") {
    const std::vector<double> cells{1, 2, 3, 4, 5, 6};
    Column every_second = numbers(cells);
    every_second.stride = 2 * sizeof(double);
    CHECK_EQUAL(every_second.number(2), 5.0);
    Column backwards = numbers(cells);
    backwards.data += 5 * sizeof(double);
    backwards.stride = -static_cast<std::ptrdiff_t>(sizeof(double));
    CHECK_EQUAL(backwards.number(0), 6.0);
    CHECK_EQUAL(backwards.number(5), 1.0);
}

CASE("missing cells and the largest numbers are not infinite") {
    const std::vector<double> cells{kNaN, std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(), 0};
    expect({numbers(cells)}, cells.size(), -1, -1);
    expect({}, 0, -1, -1);
}

CASE("the first infinite cell is found: lowest column, then lowest row") {
    std::vector<double> clean(2000, 1.0), late(2000, 1.0), early(2000, 1.0);
    late[1999] = kInfinity;
    late[1800] = -kInfinity;
    early[3] = kInfinity;
    expect({numbers(clean), numbers(late), numbers(early)}, 2000, 1, 1800);
    expect({numbers(early), numbers(late)}, 2000, 0, 3);
}

CASE("category codes are never taken for numbers") {
    const std::vector<std::int32_t> cells{0, 1, kMissing, kUnknown};
    expect({codes(cells, 2)}, cells.size(), -1, -1);
}
