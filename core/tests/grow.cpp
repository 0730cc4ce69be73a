#include "grow/grow.hpp"

#include <numeric>
#include <stdexcept>

#include "check.hpp"
#include "tables.hpp"
#include "tree/router.hpp"

using namespace boxwood;

namespace {

GrownTree grown(const Problem& problem, const Options& options) {
    check(problem);
    Monitor monitor(nullptr);
    return grow(problem, options, monitor);
}

Problem problem_of(const RandomTable& table, std::size_t n_classes) {
    return {table.columns, table.target.size(), table.target, n_classes, {}};
}

bool same_number(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_number);
}

bool same(const GrownTree& a, const GrownTree& b) {
    return a.kind == b.kind && a.feature == b.feature && same(a.threshold, b.threshold) &&
           a.first_child == b.first_child && a.n_children == b.n_children && a.missing_branch == b.missing_branch &&
           a.unknown_branch == b.unknown_branch && a.category_offset == b.category_offset &&
           a.category_code == b.category_code && a.category_branch == b.category_branch && a.n_rows == b.n_rows &&
           same(a.weight, b.weight) && same(a.counts, b.counts) && same(a.impurity, b.impurity) &&
           same(a.score, b.score);
}

std::size_t leaves(const GrownTree& tree) {
    return static_cast<std::size_t>(std::count(tree.kind.begin(), tree.kind.end(), std::int8_t{0}));
}

// Every option that changes how a tree is grown, one at a time.
std::vector<Options> many_options() {
    std::vector<Options> all(8);
    all[1].criterion = Criterion::kEntropy;
    all[2].criterion = Criterion::kGainRatio;
    all[3].missing = MissingMode::kBranch;
    all[4].min_samples_leaf = 7;
    all[5].max_leaf_nodes = 20;
    all[6].max_features = 2;
    all[6].seed = 3;
    all[7].max_depth = 4;
    all[7].min_impurity_decrease = 1e-4;
    return all;
}

}  // namespace

CASE("two values are told apart, at their midpoint") {
    const std::vector<double> x{1, 1, 3, 3};
    const std::vector<std::int32_t> y{0, 0, 1, 1};
    const std::vector<Column> columns{numbers(x)};
    const GrownTree tree = grown({columns, 4, y, 2, {}}, {});
    CHECK_EQUAL(tree.kind, (std::vector<std::int8_t>{1, 0, 0}));
    CHECK_EQUAL(tree.threshold[0], 2.0);
    CHECK_EQUAL(tree.counts, (std::vector<double>{2, 2, 2, 0, 0, 2}));
}

CASE("neighbours in the last bit are told apart") {
    const double low = 0.1, high = std::nextafter(0.1, 1.0);
    const std::vector<double> x{low, high};
    const std::vector<std::int32_t> y{0, 1};
    const std::vector<Column> columns{numbers(x)};
    const GrownTree tree = grown({columns, 2, y, 2, {}}, {});
    CHECK_EQUAL(leaves(tree), 2u);
    CHECK(low <= tree.threshold[0] && tree.threshold[0] < high);
}

CASE("exclusive or is learned although its first split gains nothing") {
    const std::vector<double> a{0, 0, 1, 1}, b{0, 1, 0, 1};
    const std::vector<std::int32_t> y{0, 1, 1, 0};
    const std::vector<Column> columns{numbers(a), numbers(b)};
    CHECK_EQUAL(leaves(grown({columns, 4, y, 2, {}}, {})), 4u);
}

CASE("the tree is the same for any number of threads") {
    for (const std::size_t rows : {300, 30000}) {
        const RandomTable table(rows, 4, 3, 11);
        for (Options options : many_options()) {
            const GrownTree one = grown(problem_of(table, 3), options);
            options.n_threads = 3;
            CHECK(same(one, grown(problem_of(table, 3), options)));
        }
    }
}

CASE("weights of one are no weights, and doubled weights double the counts") {
    const RandomTable table(500, 3, 3, 12);
    const std::vector<double> ones(500, 1.0), twos(500, 2.0);
    for (const Options& options : many_options()) {
        Problem problem = problem_of(table, 3);
        const GrownTree plain = grown(problem, options);
        problem.weights = ones;
        CHECK(same(plain, grown(problem, options)));
        problem.weights = twos;
        const GrownTree doubled = grown(problem, options);
        CHECK(plain.kind == doubled.kind && plain.feature == doubled.feature);
        CHECK(same(plain.threshold, doubled.threshold));
        bool doubles = plain.counts.size() == doubled.counts.size();
        for (std::size_t i = 0; doubles && i < plain.counts.size(); ++i) {
            doubles = doubled.counts[i] == 2 * plain.counts[i];
        }
        CHECK(doubles);
    }
}

CASE("routing sends every training row to the node that counted it") {
    for (const std::size_t rows : {40, 5000}) {
        const RandomTable table(rows, 3, 4, 13);
        for (const Options& options : many_options()) {
            const GrownTree tree = grown(problem_of(table, 4), options);
            const std::vector<std::int32_t> n_categories{0, 0, 0, 5};
            const Router router({n_categories, tree.kind, tree.feature, tree.threshold, tree.first_child,
                                 tree.n_children, tree.missing_branch, tree.unknown_branch, tree.category_offset,
                                 tree.category_code, tree.category_branch});
            std::vector<std::int32_t> ends(rows);
            Team team(2);
            router.apply(table.columns, rows, ends.data(), team);
            std::vector<double> counts(tree.counts.size(), 0.0);
            for (std::size_t row = 0; row < rows; ++row) {
                counts[static_cast<std::size_t>(ends[row]) * 4 + static_cast<std::size_t>(table.target[row])] += 1;
            }
            bool agree = true;
            for (std::size_t node = 0; node < tree.kind.size(); ++node) {
                if (tree.kind[node] != 0) continue;
                for (std::size_t k = 0; k < 4; ++k) agree &= counts[node * 4 + k] == tree.counts[node * 4 + k];
            }
            CHECK(agree);
            CHECK_EQUAL(std::accumulate(tree.counts.begin(), tree.counts.begin() + 4, 0.0), static_cast<double>(rows));
        }
    }
}

CASE("limits are kept") {
    const RandomTable table(800, 4, 3, 14);
    Options few_leaves, large_leaves;
    few_leaves.max_leaf_nodes = 9;
    CHECK_EQUAL(leaves(grown(problem_of(table, 3), few_leaves)), 9u);
    large_leaves.min_samples_leaf = 50;
    const GrownTree tree = grown(problem_of(table, 3), large_leaves);
    CHECK(*std::min_element(tree.n_rows.begin(), tree.n_rows.end()) >= 50);
    Options shallow;
    shallow.max_depth = 0;
    CHECK_EQUAL(grown(problem_of(table, 3), shallow).kind.size(), 1u);
}

CASE("small and odd tables are fine") {
    const std::vector<double> missing(5, kNaN), constant(5, 2.0);
    const std::vector<std::int32_t> no_code(5, kMissing), y{0, 1, 0, 1, 1}, pure(5, 1);
    const std::vector<Column> dull{numbers(missing), numbers(constant), codes(no_code, 1)};
    for (const Options& options : many_options()) {
        CHECK_EQUAL(grown({dull, 5, y, 2, {}}, options).kind.size(), 1u);
        CHECK_EQUAL(grown({dull, 5, pure, 2, {}}, options).kind.size(), 1u);
        CHECK_EQUAL(grown({dull, 1, std::span(y).first(1), 2, {}}, options).kind.size(), 1u);
    }
}

CASE("a poll can end growth early, and the tree is still a tree") {
    const RandomTable table(60000, 6, 3, 15);
    Monitor monitor([](double done) {
        CHECK(done >= 0 && done <= 1);
        return true;
    });
    const Problem problem = problem_of(table, 3);
    const GrownTree tree = grow(problem, {}, monitor);
    const GrownTree whole = grown(problem, {});
    CHECK(tree.kind.size() <= whole.kind.size());
    double rows = 0;
    for (std::size_t node = 0; node < tree.kind.size(); ++node) rows += tree.kind[node] == 0 ? tree.weight[node] : 0;
    CHECK_EQUAL(rows, 60000.0);
}

CASE("what is no problem is refused") {
    const std::vector<double> x{1, 2, 3}, bad_weights{1, -1, 1};
    const std::vector<std::int32_t> y{0, 1, 1}, wild{0, 5, 1};
    const std::vector<Column> columns{numbers(x)};
    CHECK_THROWS(check(Problem{columns, 3, wild, 2, {}}), std::invalid_argument);
    CHECK_THROWS(check(Problem{columns, 3, std::span(y).first(2), 2, {}}), std::invalid_argument);
    CHECK_THROWS(check(Problem{columns, 3, y, 2, bad_weights}), std::invalid_argument);
    CHECK_THROWS(check(Problem{columns, 3, y, 2, std::span(x).first(1)}), std::invalid_argument);
    CHECK_THROWS(check(Problem{columns, 0, {}, 2, {}}), std::invalid_argument);
}
