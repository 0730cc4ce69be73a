#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "check.hpp"
#include "criteria/criterion.hpp"
#include "grow/levels.hpp"
#include "tables.hpp"
#include "threads/team.hpp"
#include "tree/router.hpp"

using namespace boxwood;

namespace {

GrownTree grown(const Problem& problem, Options options, std::size_t n_threads = 1) {
    options.n_threads = n_threads;
    Monitor monitor(nullptr);
    return grow(problem, options, monitor);
}

bool same(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

bool same(const GrownTree& a, const GrownTree& b) {
    return a.kind == b.kind && a.feature == b.feature && same(a.threshold, b.threshold) &&
           a.first_child == b.first_child && a.missing_branch == b.missing_branch &&
           a.unknown_branch == b.unknown_branch && a.category_code == b.category_code &&
           a.category_branch == b.category_branch && a.n_rows == b.n_rows && same(a.sums, b.sums) &&
           same(a.score, b.score);
}

// Routing the training rows gives every node the counts that growth wrote down.
void check_counts(const GrownTree& tree, const tables::Table& table, bool weighted) {
    std::vector<std::int32_t> n_categories;
    for (const Column& column : table.columns) n_categories.push_back(column.n_categories);
    const Router router({n_categories, tree.kind, tree.feature, tree.threshold, tree.first_child, tree.n_children,
                         tree.missing_branch, tree.unknown_branch, tree.category_offset, tree.category_code,
                         tree.category_branch});
    std::vector<std::int32_t> at(table.n_rows);
    Team team(2);
    CHECK(router.apply(table.columns, table.n_rows, true, at.data(), team));
    std::vector<double> counts(tree.sums.size(), 0.0);
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        counts[static_cast<std::size_t>(at[row]) * table.n_classes + static_cast<std::size_t>(table.target[row])] +=
            weighted ? table.weights[row] : 1.0;
    }
    for (std::size_t i = tree.kind.size(); i-- > 0;) {
        for (std::int32_t branch = 0; branch < tree.n_children[i]; ++branch) {
            for (std::size_t k = 0; k < table.n_classes; ++k) {
                counts[i * table.n_classes + k] +=
                    counts[static_cast<std::size_t>(tree.first_child[i] + branch) * table.n_classes + k];
            }
        }
    }
    CHECK(same(counts, tree.sums));
}

std::vector<Options> settings() {
    std::vector<Options> all;
    for (const Criterion criterion :
         {Criterion::kGini, Criterion::kEntropy, Criterion::kGainRatio, Criterion::kError, Criterion::kAmbiguity,
          Criterion::kSine, Criterion::kTsallis, Criterion::kTwoing, Criterion::kHellinger}) {
        Options plain;
        plain.measure = {criterion, 1.5};
        all.push_back(plain);
        Options leafy = plain;
        leafy.min_samples_leaf = 5;
        leafy.min_weight_leaf = 4.5;
        leafy.missing = MissingMode::kBranch;
        leafy.unknown = UnknownRule::kMajority;
        all.push_back(leafy);
        Options drawn = plain;
        drawn.max_features = 2;
        drawn.seed = 7;
        drawn.max_depth = 9;
        all.push_back(drawn);
        Options best = plain;
        best.max_leaf_nodes = 40;
        best.unknown = UnknownRule::kStop;
        all.push_back(best);
    }
    return all;
}

}  // namespace

CASE("grown trees hold the rows that routing sends them, on any number of threads") {
    std::uint64_t seed = 0;
    for (const std::size_t n_rows : {1, 2, 50, 1000}) {
        for (const std::size_t n_classes : {2, 4}) {
            for (const double missing : {0.0, 0.15}) {
                const tables::Table table = tables::make(n_rows, n_classes, missing, ++seed);
                for (const Options& options : settings()) {
                    for (const bool weighted : {false, true}) {
                        const GrownTree tree = grown(table.problem(weighted), options);
                        check_counts(tree, table, weighted);
                        CHECK(same(tree, grown(table.problem(weighted), options, 3)));
                    }
                }
            }
        }
    }
}

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

CASE("more than 256 classes") {
    tables::Table table = tables::make(2000, 2, 0.1, 5);
    table.n_classes = 300;
    for (std::size_t row = 0; row < table.n_rows; ++row) table.target[row] = static_cast<std::int32_t>(row % 300);
    for (const Options& options : settings()) check_counts(grown(table.problem(false), options), table, false);
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

CASE("a drawn cut lies between the lowest and the highest value, and is the same on any number of threads") {
    const tables::Table table = tables::make(3000, 3, 0.1, 5);
    Options options;
    options.random_cuts = true;
    options.seed = 3;
    const GrownTree one = grown(table.problem(false), options);
    check_counts(one, table, false);
    options.n_threads = 3;
    CHECK(same(grown(table.problem(false), options), one));
    options.small_samples = options.histograms = false;
    CHECK(same(grown(table.problem(false), options), one));
    options.seed = 4;
    CHECK(!same(grown(table.problem(false), options), one));
}

CASE("a stop leaves a valid tree") {
    const tables::Table table = tables::make(60'000, 3, 0.05, 3);
    for (const std::int64_t max_leaf_nodes : {-1, 5000}) {
        Options options;
        options.max_leaf_nodes = max_leaf_nodes;
        options.n_threads = 2;
        Monitor monitor(nullptr);
        monitor.stop();
        const GrownTree tree = grow(table.problem(false), options, monitor);
        CHECK_EQUAL(tree.kind.size(), std::size_t{1});
        check_counts(tree, table, false);
    }
}

CASE("what is not a problem is refused") {
    const tables::Table table = tables::make(20, 2, 0.0, 1);
    const auto refused = [&](auto damage) {
        tables::Table copy = tables::make(20, 2, 0.0, 1);
        Problem problem = copy.problem(true);
        damage(problem, copy);
        CHECK_THROWS(grown(problem, {}), std::invalid_argument);
    };
    refused([](Problem& p, tables::Table&) { p.n_rows = 0; });
    refused([](Problem& p, tables::Table&) { p.columns = {}; });
    refused([](Problem& p, tables::Table&) { p.n_classes = 0; });
    refused([](Problem& p, tables::Table&) { p.n_classes = 70'000; });
    refused([](Problem& p, tables::Table&) { p.target = p.target.subspan(1); });
    refused([](Problem& p, tables::Table&) { p.weights = p.weights.subspan(1); });
    refused([](Problem&, tables::Table& t) { t.target[3] = 2; });
    refused([](Problem&, tables::Table& t) { t.target[3] = -1; });
    refused([](Problem&, tables::Table& t) { t.weights[3] = 0; });
    refused([](Problem&, tables::Table& t) { t.weights[3] = NAN; });
    refused([](Problem&, tables::Table& t) { t.weights[3] = INFINITY; });
    refused([](Problem&, tables::Table& t) { t.codes[0] = 7; });
}
