// Trees of classes that must not differ: wide and narrow numbers, tables, samples, short cuts, growth by level.
#include <cmath>
#include <vector>

#include "criteria/criterion.hpp"
#include "grow/levels.hpp"
#include "grown.hpp"

using namespace boxwood;
using tables::check_counts;
using tables::grown;
using tables::same;

CASE("a table beyond 65,534 rows is grown with wide numbers, then narrow ones, all alike") {
    const tables::Table table = tables::make(90'000, 3, 0.05, 99);
    Options options;
    options.min_samples_leaf = 20;
    const GrownTree tree = grown(table.problem(false), options);
    CHECK(tree.kind.size() > 500);
    check_counts(tree, table, false);
    CHECK(same(tree, grown(table.problem(false), options, 2)));
}

CASE("histograms, small samples, and the ways of unit weights and two classes all lead to the same splits") {
    std::uint64_t seed = 40;
    for (const std::size_t n_classes : {2, 3}) {
        for (const double missing : {0.0, 0.1}) {
            tables::Table table = tables::make(70'000, n_classes, missing, ++seed);
            // Both criteria meet both numbers of classes, and tables with and without missing cells.
            const bool even = (n_classes == 2) == (missing == 0.0);
            const Criterion criterion = even ? Criterion::kGini : Criterion::kEntropy;
            Options options;
            options.measure.kind = criterion;
            options.min_samples_leaf = 15;
            const GrownTree tree = grown(table.problem(false), options);
            CHECK(tree.kind.size() > 500);
            Options plain = options;
            plain.histograms = false;
            CHECK(same(tree, grown(table.problem(false), plain)));
            plain.small_samples = false;
            CHECK(same(tree, grown(table.problem(false), plain)));
            // Weights of 0.5 go another way through the code than weights of 1.
            std::fill(table.weights.begin(), table.weights.end(), 0.5);
            const GrownTree light = grown(table.problem(true), options);
            CHECK_EQUAL(light.feature == tree.feature, true);
            CHECK(same(light.threshold, tree.threshold));
            CHECK_EQUAL(light.missing_branch == tree.missing_branch, true);
            CHECK_EQUAL(light.category_branch == tree.category_branch, true);
        }
    }
}

CASE("growth by level, with impurities from outside, gives the fused tree") {
    for (const std::size_t n_classes : {std::size_t{2}, std::size_t{3}}) {
        const tables::Table table = tables::make(800, n_classes, 0.1, 11);
        for (const Criterion criterion :
             {Criterion::kGini, Criterion::kSine, Criterion::kError, Criterion::kAmbiguity}) {
            for (const std::int64_t max_leaf_nodes : {-1, 12}) {
                // Errors make gains of exactly zero, and rounding would order those of a best-first growth.
                if (criterion == Criterion::kError && max_leaf_nodes > 0) continue;
                Options options;
                options.measure = {criterion};
                options.min_samples_leaf = 3;
                options.max_leaf_nodes = max_leaf_nodes;
                options.n_threads = 2;
                const GrownTree fused = grown(table.problem(true), options);
                const Measure measure = options.measure;
                options.measure = {Criterion::kGiven, 0, measure.rule(n_classes)};
                options.search_measure = measure;
                const auto levels = grow_by_level(table.problem(true), options, nullptr);
                while (levels->open() > 0) {
                    const Gathered level = levels->gather(BranchForm::kShares);
                    std::vector<double> impurities;
                    for (std::size_t i = 0; i < level.numbers.size(); i += n_classes) {
                        impurities.push_back(impurity(measure, {level.numbers.data() + i, n_classes}, 1.0));
                    }
                    levels->take_impurities(impurities, 1e-12);
                }
                GrownTree by_level = levels->finish();
                by_level.impurity = fused.impurity;  // it was measured by Gini
                for (std::size_t i = 0; i < fused.score.size(); ++i) {
                    CHECK(fused.kind[i] == 0 || std::fabs(by_level.score[i] - fused.score[i]) < 1e-12);
                }
                by_level.score = fused.score;
                CHECK(same(by_level, fused));
            }
        }
    }
}
