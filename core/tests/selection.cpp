// Splits of many branches, one against the rest, and tests before a search: trees hold the rows that routing sends
// them, on any number of threads and in samples of any size; and the tail of the chi-square distribution.
#include "select/chi_square.hpp"

#include <cmath>
#include <limits>

#include "grown.hpp"

using namespace boxwood;
using tables::check_counts;
using tables::grown;
using tables::same;

CASE("every way to divide categories, every test, every way to place missing rows") {
    std::uint64_t seed = 0;
    for (const std::size_t n_rows : {2, 60, 1500}) {
        for (const std::size_t n_classes : {2, 4}) {
            for (const double missing : {0.0, 0.2}) {
                const tables::Table table = tables::make(n_rows, n_classes, missing, ++seed);
                for (const CategorySplit categories : {CategorySplit::kMultiway, CategorySplit::kOneVsRest}) {
                    for (const Select select : {Select::kScore, Select::kChi2Filter, Select::kConditional}) {
                        for (const Criterion criterion :
                             {Criterion::kGini, Criterion::kGainRatio, Criterion::kTwoing, Criterion::kHellinger}) {
                            Options options;
                            options.measure = {criterion, 0};
                            options.categories = categories;
                            options.screening.kind = select;
                            options.screening.alpha = 0.7;
                            options.screening.max_p = 0.7;
                            options.screening.min_second = 2;
                            options.missing = seed % 3 == 0 ? MissingMode::kBranch : MissingMode::kLearn;
                            options.min_samples_leaf = seed % 2 == 0 ? 3 : 1;
                            const bool weighted = seed % 4 > 1;
                            const GrownTree tree = grown(table.problem(weighted), options);
                            check_counts(tree, table, weighted);
                            CHECK(same(tree, grown(table.problem(weighted), options, 3)));
                            CHECK_EQUAL(tree.p_value.empty(), select == Select::kScore);
                            options.small_samples = options.histograms = false;
                            CHECK(same(tree, grown(table.problem(weighted), options)));
                        }
                    }
                }
            }
        }
    }
}

CASE("permutations depend on the seed and on nothing else") {
    const tables::Table table = tables::make(300, 3, 0.1, 9);
    Options options;
    options.screening = {Select::kConditional, 0.1, 15, 0.9, 99};
    const GrownTree tree = grown(table.problem(false), options);
    check_counts(tree, table, false);
    CHECK(same(tree, grown(table.problem(false), options, 3)));
}

CASE("the logarithm of the tail of the chi-square distribution") {
    // Two degrees of freedom: e^(-x / 2).
    for (const double x : {1e-6, 0.5, 3.0, 50.0, 1e5, 1e12})
        CHECK(std::fabs(log_chi_square_tail(x, 2) / (-x / 2) - 1) < 1e-12);
    // Four: e^(-x / 2) (1 + x / 2).
    for (const double x : {0.5, 3.0, 50.0, 1e5}) {
        CHECK(std::fabs(log_chi_square_tail(x, 4) / (std::log1p(x / 2) - x / 2) - 1) < 1e-11);
    }
    CHECK(std::fabs(std::exp(log_chi_square_tail(3.841458820694124, 1)) - 0.05) < 1e-12);
    CHECK(std::fabs(std::exp(log_chi_square_tail(18.307038053275146, 10)) - 0.05) < 1e-12);
    CHECK_EQUAL(log_chi_square_tail(0, 3), 0.0);
    CHECK_EQUAL(log_chi_square_tail(std::numeric_limits<double>::infinity(), 3),
                -std::numeric_limits<double>::infinity());
}
