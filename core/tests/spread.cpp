// Growth with spread rows: exact sums, the main engine's trees where nothing is missing, any number of threads.
#include "grow/spread/grow.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "criteria/criterion.hpp"
#include "grow/spread/grid.hpp"
#include "grown.hpp"

using namespace boxwood;
using tables::grown;
using tables::same;

namespace {

GrownTree spread_tree(const Problem& problem, Options options, std::size_t n_threads = 1) {
    options.n_threads = n_threads;
    options.missing = MissingMode::kFractional;
    Monitor monitor(nullptr);
    return grow_spread(problem, options, monitor);
}

Options j48() {
    Options options;
    options.measure.kind = Criterion::kGainRatio;
    options.categories = CategorySplit::kMultiway;
    options.min_weight_leaf = 2;
    options.min_value_gap = 1e-5;
    options.mdl_gain = options.two_branches = options.quinlan_minimum = options.weka_comparison =
        options.training_threshold = true;
    return options;
}

}  // namespace

CASE("parts of a weight are multiples of the unit and add up to it") {
    for (const double total : {1.0, 3.0, 1e6, 1e-9, 12345.678}) {
        const spread::WeightGrid grid(total);
        const std::vector<double> of{total / 3, total / 7, total / 2, total * 1e-14};
        const double all = std::accumulate(of.begin(), of.end(), 0.0);
        std::vector<double> parts(of.size());
        for (double weight = total; weight > total * 1e-12; weight = parts[1]) {
            grid.divide(weight, of, all, 2, parts);
            double forwards = 0, backwards = 0;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                CHECK(parts[i] >= 0);
                forwards += parts[i];
                backwards += parts[parts.size() - 1 - i];
            }
            CHECK_EQUAL(forwards, weight);
            CHECK_EQUAL(backwards, weight);
        }
    }
}

CASE("without missing cells both engines give the same tree") {
    for (const bool weighted : {false, true}) {
        const tables::Table table = tables::make(1500, weighted ? 2 : 4, 0.0, 5);
        for (const Criterion criterion : {Criterion::kGini, Criterion::kEntropy, Criterion::kGainRatio,
                                          Criterion::kTwoing, Criterion::kHellinger, Criterion::kSine}) {
            Options options;
            options.measure.kind = criterion;
            options.min_samples_leaf = 3;
            options.all_cuts = true;
            const GrownTree main = grown(table.problem(weighted), options);
            const GrownTree spread = spread_tree(table.problem(weighted), options);
            CHECK(main.kind.size() > 50);
            CHECK(main.kind == spread.kind);
            CHECK(main.feature == spread.feature);
            CHECK(same(main.threshold, spread.threshold));
            CHECK(same(main.sums, spread.sums));
            CHECK(same(main.score, spread.score));
            CHECK(main.category_branch == spread.category_branch);
        }
    }
}

CASE("children add up to their parent exactly, on any number of threads") {
    const tables::Table table = tables::make(4000, 3, 0.1, 17);
    for (const Options& options : {j48(), Options{}}) {
        const GrownTree tree = spread_tree(table.problem(true), options);
        CHECK(tree.kind.size() > 100);
        for (std::size_t i = 0; i < tree.kind.size(); ++i) {
            if (tree.n_children[i] == 0) continue;
            CHECK_EQUAL(tree.missing_branch[i], kSpread);
            std::vector<double> sum(table.n_classes, 0.0);
            for (std::int32_t branch = 0; branch < tree.n_children[i]; ++branch) {
                const auto child = static_cast<std::size_t>(tree.first_child[i] + branch);
                for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += tree.sums[child * sum.size() + k];
            }
            CHECK(same(sum, {tree.sums.data() + i * sum.size(), sum.size()}));
        }
        CHECK(same(tree, spread_tree(table.problem(true), options, 3)));
    }
}
