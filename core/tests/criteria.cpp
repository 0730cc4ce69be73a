#include <cmath>
#include <random>

#include "check.hpp"
#include "criteria/balances/ambiguity.hpp"
#include "criteria/balances/entropy.hpp"
#include "criteria/balances/error.hpp"
#include "criteria/balances/gini.hpp"
#include "criteria/balances/per_cut.hpp"
#include "criteria/balances/tsallis.hpp"
#include "criteria/criterion.hpp"
#include "search/cut_rule.hpp"
#include "search/numeric.hpp"
#include "search/two_classes.hpp"

using namespace boxwood;

namespace {

struct Rows {
    std::vector<std::uint16_t> label;
    std::vector<double> weight;
    std::vector<std::uint8_t> change;
    std::vector<std::int32_t> ones;
    std::vector<double> total, zero;
    double sum = 0;
};

Rows rows(std::size_t n, std::size_t n_classes, bool weighted, double ties, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit;
    Rows out;
    out.total.assign(n_classes, 0.0);
    out.zero.assign(n_classes, 0.0);
    std::int32_t ones = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double slope = static_cast<double>(i) / static_cast<double>(n);
        const auto k = static_cast<std::uint16_t>(
            std::min<double>(static_cast<double>(n_classes) - 1,
                             std::floor((unit(random) + slope) / 2 * static_cast<double>(n_classes))));
        const double w = weighted ? std::floor(1 + unit(random) * 9) / 8 : 1.0;
        out.label.push_back(k);
        out.weight.push_back(w);
        out.change.push_back(i + 1 < n && unit(random) >= ties);
        out.ones.push_back(ones += k == 1);
        out.total[k] += w;
        out.sum += w;
    }
    return out;
}

// w * merit of every cut by the judges, the best of them.
double plain_best(const Measure& measure, const Rows& r, std::int64_t min_rows) {
    std::vector<double> left(r.total.size(), 0.0), right;
    double best = -INFINITY, weight = 0;
    for (std::size_t i = 0; i + 1 < r.label.size(); ++i) {
        left[r.label[i]] += r.weight[i];
        weight += r.weight[i];
        if (!r.change[i] || static_cast<std::int64_t>(i + 1) < min_rows ||
            static_cast<std::int64_t>(r.label.size() - i - 1) < min_rows) {
            continue;
        }
        right = r.total;
        for (std::size_t k = 0; k < left.size(); ++k) right[k] -= left[k];
        const Branches branches{2, {left, right, {}}, {weight, r.sum - weight, 0}};
        best = std::max(best, r.sum * merit(measure, branches, r.total, r.sum));
    }
    return best;
}

Population everything(const Measure& measure, const Rows& r) {
    const auto n = static_cast<std::int64_t>(r.label.size());
    return {r.total, r.sum, n, worth(measure, r.total, r.sum), r.zero, 0.0, 0, {}, r.total, r.sum};
}

template <class Balance>
double scanned(Balance balance, const Measure& measure, const Rows& r, bool weighted, std::int64_t min_rows) {
    Sequence sequence{r.label, {}, r.change, r.change};
    if (weighted) sequence.weight = r.weight;
    Found found;
    scan(balance, sequence, everything(measure, r), {0.0, 1e-9, -INFINITY, {min_rows, 0.0}, Side::kNone}, found);
    return found.value;
}

bool near(double a, double b) {
    return a == b || std::fabs(a - b) < 1e-7 * (1 + std::fabs(b));
}

constexpr Measure kGini{Criterion::kGini}, kEntropy{Criterion::kEntropy};

}  // namespace

CASE("impurities are zero when pure, largest when even, and known in between") {
    const std::vector<double> pure{0, 5, 0}, even{2, 2, 2, 2}, mixed{3, 1};
    CHECK_EQUAL(impurity(kGini, pure, 5), 0.0);
    CHECK_EQUAL(impurity(kEntropy, pure, 5), 0.0);
    CHECK_EQUAL(impurity(kGini, even, 8), 0.75);
    CHECK_EQUAL(impurity(kEntropy, even, 8), 2.0);
    CHECK_EQUAL(impurity(kGini, mixed, 4), 0.375);
    CHECK(near(impurity(kEntropy, mixed, 4), 0.8112781244591328));
}

CASE("every running balance and the two-class kernels find the best cut of the judges") {
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        const std::size_t n = 2 + seed * 7, n_classes = 2 + seed % 4;
        const auto min_rows = static_cast<std::int64_t>(1 + seed % 5);
        Team team(1);
        for (const bool weighted : {false, true}) {
            const Rows r = rows(n, n_classes, weighted, 0.3, seed);
            const auto check = [&](const Measure& measure, auto balance, bool as_weighted) {
                const double best = plain_best(measure, r, min_rows);
                CHECK(near(scanned(balance, measure, r, as_weighted, min_rows), best));
            };
            const CountTables none;
            check(kGini, GiniWeighted(none), true);
            check(kEntropy, EntropyWeighted(none), true);
            check({Criterion::kError}, ErrorBalance(none), true);
            check({Criterion::kAmbiguity}, AmbiguityBalance(none), true);
            check({Criterion::kAmbiguity}, AmbiguityPerCut(none), true);
            check({Criterion::kSine}, SineBalance(none), true);
            check({Criterion::kTwoing}, TwoingBalance(none), true);
            check({Criterion::kHellinger}, HellingerBalance(none), true);
            for (const double q : {0.3, 1.0, 1.5, 2.0, 4.0}) {
                check({Criterion::kTsallis, q}, TsallisWeighted(none, q), true);
                check({Criterion::kTsallis, q}, JudgedBalance({Criterion::kTsallis, q}), true);
            }
            if (weighted) continue;
            check(kGini, GiniUnit(none), false);
            check(kEntropy, EntropyUnit(CountTables(n, kEntropy, team)), false);
            for (const double q : {0.3, 1.0, 1.5, 2.0, 4.0}) {
                const Measure measure{Criterion::kTsallis, q};
                const CountTables tables(n, measure, team);
                check(measure, TsallisUnit(tables, q), false);
            }
            if (n_classes != 2) continue;
            for (const Measure& measure :
                 {kGini, kEntropy, Measure{Criterion::kError}, Measure{Criterion::kAmbiguity},
                  Measure{Criterion::kSine}, Measure{Criterion::kTwoing}, Measure{Criterion::kHellinger},
                  Measure{Criterion::kTsallis, 0.5}, Measure{Criterion::kTsallis, 3.0}}) {
                if (r.total[0] == 0 || r.total[1] == 0) continue;  // a pure node is not searched
                const CountTables tables(n, measure, team);
                Found found;
                CHECK(has_two_class_kernel(measure));
                scan_two_classes(measure, tables, r.ones, {r.label, {}, r.change, r.change}, everything(measure, r),
                                 {0.0, 1e-9, -INFINITY, {min_rows, 0.0}, Side::kNone}, found);
                CHECK(near(found.value, plain_best(measure, r, min_rows)));
            }
        }
    }
}

CASE("the marks of the cut rule never lose the best cut") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Rows r = rows(5 + seed, 2, false, seed % 3 == 0 ? 0.3 : 0.0, seed);
        if (r.total[0] == 0 || r.total[1] == 0) continue;
        const auto min_rows = static_cast<std::int64_t>(1 + seed % 7);
        Team team(1);
        for (const Measure& measure : {kGini, kEntropy, Measure{Criterion::kError}, Measure{Criterion::kAmbiguity},
                                       Measure{Criterion::kSine}, Measure{Criterion::kHellinger}}) {
            std::vector<std::uint8_t> by_ones(r.change.size()), by_label(r.change.size());
            mark_boundaries(r.change, std::span<const std::int32_t>(r.ones), 0, r.change.size(), by_ones.data());
            const std::size_t middle = r.change.size() / 2;  // two stretches
            mark_boundaries(r.change, std::span<const std::uint16_t>(r.label), 0, middle, by_label.data());
            mark_boundaries(r.change, std::span<const std::uint16_t>(r.label), middle, r.change.size(),
                            by_label.data());
            CHECK(by_ones == by_label);
            std::vector<std::uint8_t> differ(r.change.size()), by_differ(r.change.size());
            for (std::size_t i = 0; i + 1 < r.label.size(); ++i) differ[i] = r.label[i] != r.label[i + 1];
            mark_boundaries(r.change, std::span<const std::uint8_t>(differ), 0, middle, by_differ.data());
            mark_boundaries(r.change, std::span<const std::uint8_t>(differ), middle, differ.size(), by_differ.data());
            CHECK(by_differ == by_label);
            const CutCounts before = count_boundaries(r.change, differ, 0, middle),
                            behind = count_boundaries(r.change, differ, middle, differ.size());
            CHECK_EQUAL(before.boundaries + behind.boundaries, count_marks(by_label));
            CHECK_EQUAL(before.cuts + behind.cuts, count_marks(r.change));
            if (marks_late(measure)) {
                Found late;
                std::vector<std::uint8_t> marks(r.change.size(), 7);
                scan_two_classes(measure, CountTables(r.label.size(), measure, team), r.ones,
                                 {r.label, {}, r.change, r.change, marks.data()}, everything(measure, r),
                                 {0.0, 1e-9, -INFINITY, {min_rows, 0.0}, Side::kNone}, late);
                CHECK(near(late.value, plain_best(measure, r, min_rows)));
            }
            if (measure.rule(2) == CutRule::kEqualShares) {
                mark_equal_shares(r.change, r.ones, r.sum, r.total[1], by_ones.data());
            }
            CHECK(count_marks(by_ones) <= count_marks(r.change));
            const CountTables tables(r.label.size(), measure, team);
            Found found;
            scan_two_classes(measure, tables, r.ones, {r.label, {}, r.change, by_ones}, everything(measure, r),
                             {0.0, 1e-9, -INFINITY, {min_rows, 0.0}, Side::kNone}, found);
            CHECK(near(found.value, plain_best(measure, r, min_rows)));
        }
    }
}

// Where missing rows have a branch of their own the known rows may be pure. A kernel once filled its last block up
// with a cut of one row of class 0, which is not there, and looked its logarithm up in front of the table.
CASE("the kernels serve known rows of one class") {
    const std::size_t n = 13;
    std::vector<std::uint16_t> label(n, 1);
    std::vector<std::uint8_t> change(n, 1);
    change.back() = 0;
    std::vector<std::int32_t> ones;
    for (std::size_t i = 0; i < n; ++i) ones.push_back(static_cast<std::int32_t>(i + 1));
    const std::vector<double> total{0, static_cast<double>(n)}, zero{0, 0};
    Team team(1);
    for (const Measure& measure : {kGini, kEntropy, Measure{Criterion::kError}, Measure{Criterion::kAmbiguity},
                                   Measure{Criterion::kSine}, Measure{Criterion::kTsallis, 1.5}}) {
        const CountTables tables(n, measure, team);
        Found found;
        scan_two_classes(measure, tables, ones, {label, {}, change, change},
                         {total,
                          static_cast<double>(n),
                          static_cast<std::int64_t>(n),
                          0.0,
                          zero,
                          0.0,
                          0,
                          {},
                          total,
                          static_cast<double>(n)},
                         {0.0, 1e-9, -INFINITY, {1, 0.0}, Side::kOwn}, found);
        CHECK(found.feasible);
        CHECK(std::fabs(found.value) < 1e-9);
    }
}

CASE("the gain of a split is what the impurities say") {
    const std::vector<double> total{5, 3, 2}, left{4, 0, 1}, right{1, 3, 1};
    const Branches branches{2, {left, right, {}}, {5, 5, 0}};
    for (const Criterion kind : {Criterion::kGini, Criterion::kEntropy, Criterion::kError, Criterion::kAmbiguity,
                                 Criterion::kSine, Criterion::kTsallis}) {
        const Measure measure{kind, 1.7};
        const double expected =
            impurity(measure, total, 10) - 0.5 * impurity(measure, left, 5) - 0.5 * impurity(measure, right, 5);
        CHECK(near(gain(measure, branches, total, 10), expected));
        CHECK(near(10 * expected, worth(measure, left, 5) + worth(measure, right, 5) - worth(measure, total, 10)));
    }
}

CASE("Gini and entropy are cases of Tsallis; the sine is the sine") {
    const std::vector<double> counts{5, 3, 2};
    CHECK(near(impurity({Criterion::kTsallis, 2.0}, counts, 10), impurity(kGini, counts, 10)));
    CHECK(near(impurity({Criterion::kTsallis, 1.0}, counts, 10), impurity(kEntropy, counts, 10) * std::log(2.0)));
    CHECK(near(impurity({Criterion::kTsallis, 1 + 1e-9}, counts, 10), impurity(kEntropy, counts, 10) * std::log(2.0)));
    for (int i = 0; i <= 1000; ++i) {
        const double p = i / 1000.0;
        CHECK(std::fabs(sine_of_share(p) - std::sin(std::acos(-1.0) * p)) < 4e-16);
    }
    CHECK_EQUAL(sine_of_share(0.0), 0.0);
    CHECK_EQUAL(sine_of_share(1.0), 0.0);
}
