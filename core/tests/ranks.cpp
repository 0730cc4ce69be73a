#include "data/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "check.hpp"

using namespace boxwood;

namespace {

Column view(const std::vector<double>& values) {
    return {reinterpret_cast<const std::byte*>(values.data()), sizeof(double), 0, false};
}

// The rank of each row by a plain sort of the distinct values; -1 where missing.
std::vector<long> plain_ranks(const std::vector<double>& values) {
    std::vector<double> known;
    for (const double x : values) {
        if (!std::isnan(x)) known.push_back(x);
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::vector<long> out;
    for (const double x : values) {
        out.push_back(std::isnan(x) ? -1 : std::lower_bound(known.begin(), known.end(), x) - known.begin());
    }
    return out;
}

template <class Index>
void check_ranks(const std::vector<double>& values, bool coded) {
    Team team(2);
    Monitor monitor(nullptr);
    const std::vector<Column> columns{view(values)};
    const auto table = rank_columns<Index>(columns, values.size(), team, monitor);
    const auto expected = plain_ranks(values);
    CHECK_EQUAL(table.columns[0].coded, coded);
    if (coded) {
        for (std::size_t row = 0; row < values.size(); ++row) {
            const auto code = static_cast<std::size_t>(table.codes[row]);
            CHECK_EQUAL(code, expected[row] < 0 ? table.columns[0].n_values : static_cast<std::size_t>(expected[row]));
            if (expected[row] >= 0) CHECK_EQUAL(table.columns[0].values[code], values[row]);
        }
        return;
    }
    const auto& items = table.sorted[0];
    CHECK_EQUAL(items.size(), values.size());
    std::vector<bool> seen(values.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::size_t row = items[i].row;
        seen[row] = true;
        CHECK_EQUAL(items[i].rank == kNoRank<Index> ? -1 : static_cast<long>(items[i].rank), expected[row]);
        if (i == 0 || items[i].rank == kNoRank<Index>) continue;
        CHECK(items[i - 1].rank < items[i].rank ||
              (items[i - 1].rank == items[i].rank && items[i - 1].row < items[i].row));
    }
    CHECK(std::all_of(seen.begin(), seen.end(), [](bool b) { return b; }));
}

}  // namespace

CASE("few values are coded, many are sorted; ties and missing cells have their place") {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (const double missing : {0.0, 0.2, 1.0}) {
        std::uniform_real_distribution<double> unit;
        std::vector<double> few, many, ties;
        for (int i = 0; i < 3000; ++i) {
            const bool gone = unit(random) < missing;
            few.push_back(gone ? NAN : std::floor(unit(random) * 255));
            many.push_back(gone ? NAN : normal(random) * std::pow(10.0, std::floor(unit(random) * 600 - 300)));
            ties.push_back(gone ? NAN : std::round(normal(random) * 200));
        }
        check_ranks<std::uint16_t>(few, true);
        check_ranks<std::uint32_t>(few, true);
        check_ranks<std::uint16_t>(many, missing == 1.0);
        check_ranks<std::uint32_t>(many, missing == 1.0);
        check_ranks<std::uint32_t>(ties, missing == 1.0);
    }
}

CASE("values that differ in the last bit have two ranks, the two zeros have one") {
    std::vector<double> values;
    double x = 1.0;
    for (int i = 0; i < 400; ++i) {
        values.push_back(x);
        values.push_back(-x);
        x = std::nextafter(x, 2.0);
    }
    values.insert(values.end(), {0.0, -0.0, 1e300, -1e300, 5e-324});
    check_ranks<std::uint32_t>(values, false);
    check_ranks<std::uint16_t>(values, false);
    check_ranks<std::uint32_t>({0.0, -0.0, 1.0}, true);
}

CASE("crowds, clusters and steps are sorted, whatever a sample of them says") {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> unit;
    constexpr std::size_t kRows = 200'000;  // every third key is in the sample that the buckets are laid by
    std::vector<std::vector<double>> columns(7, std::vector<double>(kRows));
    for (std::size_t i = 0; i < kRows; ++i) {
        columns[0][i] = normal(random);
        columns[1][i] = std::exp(30 * normal(random));
        columns[2][i] = i % 3 == 0 ? unit(random) : 1e9 + 1e-3 * unit(random);  // the sample sees the one crowd only
        columns[3][i] = 1 + 1e-12 * unit(random);                               // all agree in the leading bits
        columns[4][i] = i < kRows / 2 ? 0.25 : unit(random);                    // half of the rows are ties
        columns[5][i] = std::round(unit(random) * 9) + 1e-13 * std::round(unit(random) * 4000);  // tight clusters
        columns[6][i] = i % 11 == 0 ? NAN : (i % 2 == 0 ? 1e300 : -1e300) * unit(random);
    }
    for (const auto& column : columns) check_ranks<std::uint32_t>(column, false);
}

CASE("a large table with a few columns of many values, on one thread and on two") {
    // Row-major, and beyond what stays in the cache: the keys of some columns are read beside the codes of the others.
    std::mt19937_64 random(9);
    std::normal_distribution<double> normal;
    constexpr std::size_t kRows = 70'001, kColumns = 14;
    std::vector<double> cells(kRows * kColumns);
    for (std::size_t row = 0; row < kRows; ++row) {
        double* cell = cells.data() + row * kColumns;
        for (std::size_t j = 0; j < kColumns; ++j) cell[j] = static_cast<double>(random() % (2 + 15 * j));
        cell[2] = row % 13 == 0 ? NAN : normal(random);
        cell[5] = std::floor(1000 * normal(random));
        cell[7] = static_cast<double>(row / 200);  // many values, but few in any stretch of rows
        // Many values, of which the sample that is looked at first, every 17th row, sees one.
        cell[9] = row % 17 == 0 ? 0.0 : row % 17 == 5 ? NAN : static_cast<double>(row % 400);
    }
    std::vector<Column> columns;
    for (std::size_t j = 0; j < kColumns; ++j) {
        columns.push_back({reinterpret_cast<const std::byte*>(cells.data() + j), kColumns * sizeof(double), 0, false});
    }
    for (const std::size_t threads : {1, 2}) {
        Team team(threads);
        Monitor monitor(nullptr);
        const auto table = rank_columns<std::uint32_t>(columns, kRows, team, monitor);
        for (std::size_t j = 0; j < kColumns; ++j) {
            std::vector<double> values(kRows);
            for (std::size_t row = 0; row < kRows; ++row) values[row] = cells[row * kColumns + j];
            const auto expected = plain_ranks(values);
            const RankedColumn& column = table.columns[j];
            CHECK_EQUAL(column.coded, j != 2 && j != 5 && j != 7 && j != 9);
            CHECK_EQUAL(column.has_missing, j == 2 || j == 9);
            for (std::size_t i = 0; i < kRows; ++i) {
                const std::size_t row = column.coded ? i : table.sorted[column.slot][i].row;
                const std::size_t rank =
                    column.coded ? table.codes[i * table.n_coded + column.slot] : table.sorted[column.slot][i].rank;
                const bool missing = rank == (column.coded ? column.n_values : kNoRank<std::uint32_t>);
                CHECK_EQUAL(missing ? -1 : static_cast<long>(rank), expected[row]);
            }
        }
    }
}

CASE("a third value, or a missing cell, after many rows of two") {
    for (const double odd : {7.0, static_cast<double>(NAN), -0.0}) {
        std::vector<double> flags(3000);
        for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = i * i % 7 < 3 ? 0.0 : 1.0;
        flags[1500] = odd;
        flags[2999] = odd;
        check_ranks<std::uint32_t>(flags, true);
        check_ranks<std::uint16_t>(std::vector<double>(flags.begin() + 1500, flags.end()), true);
    }
}

CASE("an infinity is found, whichever column and row it is in") {
    std::vector<double> a(2000, 1.0), b(2000, NAN);
    const std::vector<Column> columns{view(a), view(b)};
    CHECK_EQUAL(find_infinite(columns, 2000).column, -1);
    b[1999] = -INFINITY;
    CHECK_EQUAL(find_infinite(columns, 2000).column, 1);
    CHECK_EQUAL(find_infinite(columns, 2000).row, 1999);
    a[1500] = INFINITY;
    CHECK_EQUAL(find_infinite(columns, 2000).column, 0);
    CHECK_EQUAL(find_infinite(columns, 2000).row, 1500);
}

CASE("the parts that many rows are coded in agree on one order") {
    std::vector<double> few, many;
    for (int i = 0; i < 150'000; ++i) {
        few.push_back(i % 5000 == 4999 ? NAN : (i * 37 + i / 40'000) % 250);  // values arrive in another order per part
        many.push_back(i / 30'000 * 100 + i % 100);  // few values in each part, too many in all
    }
    check_ranks<std::uint32_t>(few, true);
    check_ranks<std::uint32_t>(many, false);
}

CASE("ranking refuses an infinity, among few values and among many") {
    for (const int values : {3, 1000}) {
        for (const double infinity : {INFINITY, -INFINITY}) {
            std::vector<double> column;
            for (int i = 0; i < 2000; ++i) column.push_back(i % values);
            column[700] = infinity;
            Team team(2);
            Monitor monitor(nullptr);
            const std::vector<Column> columns{view(column)};
            CHECK_THROWS(rank_columns<std::uint32_t>(columns, column.size(), team, monitor), std::domain_error);
        }
    }
}
