#include "grow/regression/scan.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"

using namespace boxwood;

namespace {

struct Drawn {
    std::vector<Item<std::uint32_t>> items;
    std::vector<std::int64_t> whole;  // by row
    TwoSides sides;
    std::vector<double> value;  // of the cut after each step; 0: there is none

    std::int64_t last() const { return static_cast<std::int64_t>(items.size()) - 2; }
    double highest() const { return *std::max_element(value.begin(), value.end()); }
};

// Rows in random order; a step of the column is a cut unless `ties` says that it is a tie.
Drawn draw(std::size_t n, bool ties, double slope, std::mt19937_64& random) {
    Drawn column;
    column.items.resize(n);
    column.whole.resize(n);
    for (std::size_t i = 0; i < n; ++i) column.items[i].row = static_cast<std::uint32_t>(i);
    std::shuffle(column.items.begin(), column.items.end(), random);
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < n; ++i) {
        rank += i > 0 && !(ties && random() % 2 == 0);
        column.items[i].rank = rank;
        const double noise = std::uniform_real_distribution<double>(-1e13, 1e13)(random);
        const double trend = slope * static_cast<double>(i > n / 3) * 1e13;
        column.sides.sum += column.whole[column.items[i].row] = static_cast<std::int64_t>(noise + trend);
    }
    column.sides.weight = static_cast<double>(n);
    const double mean = static_cast<double>(column.sides.sum) / column.sides.weight;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        sum += column.whole[column.items[i].row];
        const double left = static_cast<double>(i + 1), right = column.sides.weight - left;
        const double d = static_cast<double>(sum) - mean * left;
        const bool cut = column.items[i].rank != column.items[i + 1].rank;
        column.value.push_back(cut ? d * d * (left + right) / (left * right) : 0);
    }
    return column;
}

bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b));
}

}  // namespace

CASE("the highest value of a column's cuts is that of a plain walk, by table and by division") {
    std::mt19937_64 random(11);
    for (int trial = 0; trial < 600; ++trial) {
        const bool ties = trial % 2 == 1;
        const Drawn column = draw(2 + random() % 400, ties, trial % 3, random);
        CutFactors factors;
        factors.lay(column.items.size(), column.sides.drift());
        const std::int64_t first = static_cast<std::int64_t>(random() % column.value.size());
        const std::int64_t last = column.last() - static_cast<std::int64_t>(random() % 2) * (column.last() - first) / 2;
        double expected = 0;
        for (std::int64_t i = first; i <= last; ++i) {
            expected = std::max(expected, column.value[static_cast<std::size_t>(i)]);
        }
        for (const CutFactors* table :
             {static_cast<const CutFactors*>(&factors), static_cast<const CutFactors*>(nullptr)}) {
            BlockScan scan;
            const double highest =
                ties
                    ? scan.highest<false>(column.items.data(), first, last, column.whole.data(), column.sides, table, 0)
                    : scan.highest<true>(column.items.data(), first, last, column.whole.data(), column.sides, table, 0);
            CHECK(near(highest, expected));
            std::vector<std::int64_t> met, wanted;
            const double least = 0.7 * highest;
            if (highest == 0) continue;
            scan.each(column.items.data(), last, column.whole.data(), column.sides, table, 0, least,
                      [&](std::int64_t i, double value) {
                          CHECK(near(value, column.value[static_cast<std::size_t>(i)]));
                          met.push_back(i);
                      });
            for (std::int64_t i = first; i <= last; ++i) {
                if (column.value[static_cast<std::size_t>(i)] >= least) wanted.push_back(i);
            }
            CHECK(met == wanted);
        }
    }
}

CASE("no cut is worth more than the bound that tags give, and the bound is not far above the best one") {
    std::mt19937_64 random(13);
    constexpr int kBits = 12;
    double loosest = 1;
    for (int trial = 0; trial < 600; ++trial) {
        const bool large = trial % 10 == 0;
        Drawn column = draw(large ? 20'000 + random() % 50 : 2 + random() % 100, false, large ? 1 : trial % 3, random);
        const auto [low, high] = std::minmax_element(column.whole.begin(), column.whole.end());
        const double step = std::ldexp(static_cast<double>(*high - *low), -kBits) * (1 + 1e-12);
        std::int64_t total = 0;
        for (auto& item : column.items) {
            const double off = static_cast<double>(column.whole[item.row] - *low);
            const auto tag = std::min((1u << kBits) - 1, static_cast<std::uint32_t>(off / step));
            total += tag;
            item.rank = item.rank << kBits | tag;
        }
        const double bound = bound_by_tags(column.items, total, kBits, step);
        CHECK(bound >= column.highest());
        if (large) loosest = std::max(loosest, bound / column.highest());
    }
    CHECK(loosest < 1.1);
}
