#include <cmath>
#include <random>

#include "check.hpp"
#include "criteria/balance.hpp"
#include "criteria/criterion.hpp"
#include "search/numeric.hpp"

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

// w * gain of every cut by the plain definition, the best of them.
double plain_best(Criterion criterion, const Rows& r, std::int64_t min_rows) {
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
        best = std::max(best, r.sum * impurity(criterion, r.total, r.sum) - weight * impurity(criterion, left, weight) -
                                  (r.sum - weight) * impurity(criterion, right, r.sum - weight));
    }
    return best;
}

template <class Balance>
double scanned(Balance balance, Criterion criterion, const Rows& r, bool weighted, std::int64_t min_rows) {
    Sequence sequence{r.label, {}, r.change};
    if (weighted) sequence.weight = r.weight;
    const Population all{
        r.total, r.sum, static_cast<std::int64_t>(r.label.size()), worth(criterion, r.total, r.sum), r.zero, 0.0, 0};
    Found found;
    scan(balance, sequence, all, {0.0, 1e-9, -INFINITY, {min_rows, 0.0}, Side::kNone}, found);
    return found.value;
}

bool near(double a, double b) {
    return a == b || std::fabs(a - b) < 1e-7 * (1 + std::fabs(b));
}

}  // namespace

CASE("impurities are zero when pure, largest when even, and known in between") {
    const std::vector<double> pure{0, 5, 0}, even{2, 2, 2, 2}, mixed{3, 1};
    CHECK_EQUAL(impurity(Criterion::kGini, pure, 5), 0.0);
    CHECK_EQUAL(impurity(Criterion::kEntropy, pure, 5), 0.0);
    CHECK_EQUAL(impurity(Criterion::kGini, even, 8), 0.75);
    CHECK_EQUAL(impurity(Criterion::kEntropy, even, 8), 2.0);
    CHECK_EQUAL(impurity(Criterion::kGini, mixed, 4), 0.375);
    CHECK(near(impurity(Criterion::kEntropy, mixed, 4), 0.8112781244591328));
}

CASE("every running balance and the two-class kernel find the best cut of the plain definition") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::size_t n = 2 + seed * 7, n_classes = 2 + seed % 4;
        const auto min_rows = static_cast<std::int64_t>(1 + seed % 5);
        for (const bool weighted : {false, true}) {
            const Rows r = rows(n, n_classes, weighted, 0.3, seed);
            const LogTable logs(n);
            const double gini = plain_best(Criterion::kGini, r, min_rows);
            const double entropy = plain_best(Criterion::kEntropy, r, min_rows);
            CHECK(near(scanned(GiniWeighted(logs), Criterion::kGini, r, true, min_rows), gini));
            CHECK(near(scanned(EntropyWeighted(logs), Criterion::kEntropy, r, true, min_rows), entropy));
            if (weighted) continue;
            CHECK(near(scanned(GiniUnit(logs), Criterion::kGini, r, false, min_rows), gini));
            CHECK(near(scanned(EntropyUnit(logs), Criterion::kEntropy, r, false, min_rows), entropy));
            if (n_classes != 2) continue;
            Found found;
            const Population all{
                r.total, r.sum, static_cast<std::int64_t>(n), worth(Criterion::kGini, r.total, r.sum), r.zero, 0.0, 0};
            scan_two_classes(r.ones, r.change, all, {0.0, 1e-9, -INFINITY, {min_rows, 0.0}, Side::kNone}, found);
            CHECK(near(found.value, gini));
        }
    }
}

CASE("the gain of a split is the sum of its branches' parts") {
    const std::vector<double> total{5, 3, 2}, left{4, 0, 1}, right{1, 3, 1};
    for (const Criterion criterion : {Criterion::kGini, Criterion::kEntropy}) {
        const double gain =
            impurity(criterion, total, 10) - 0.5 * impurity(criterion, left, 5) - 0.5 * impurity(criterion, right, 5);
        CHECK(near(branch_gain(criterion, left, 5, total, 10) + branch_gain(criterion, right, 5, total, 10), gain));
    }
}
