#include "grow/regression/grow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "criteria/regression.hpp"
#include "grow/regression/medians.hpp"
#include "numbers.hpp"

using namespace boxwood;
using namespace numbers;

namespace {

using Rows = std::vector<std::size_t>;

double answer(Criterion criterion, const Numbers& data, const Rows& rows) {
    long double weight = 0, sum = 0;
    for (const std::size_t row : rows) {
        weight += data.weight(row);
        sum += static_cast<long double>(data.weight(row)) * data.y[row];
    }
    if (criterion != Criterion::kAbsoluteError) return static_cast<double>(sum / weight);
    Rows sorted = rows;
    std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return data.y[a] < data.y[b]; });
    long double below = 0;
    for (std::size_t i = 0;; ++i) {
        below += data.weight(sorted[i]);
        if (2 * below > weight) return data.y[sorted[i]];
        if (2 * below == weight) return (data.y[sorted[i]] + data.y[sorted[i + 1]]) / 2;
    }
}

// The sum of losses around the answer.
long double loss(Criterion criterion, const Numbers& data, const Rows& rows) {
    long double mean = 0, weight = 0, sum = 0;
    for (const std::size_t row : rows) {
        weight += data.weight(row);
        mean += static_cast<long double>(data.weight(row)) * data.y[row];
    }
    mean /= weight;
    const double median = criterion == Criterion::kAbsoluteError ? answer(criterion, data, rows) : 0.0;
    for (const std::size_t row : rows) {
        const long double y = data.y[row];
        long double here = 0;
        if (criterion == Criterion::kSquaredError) here = (y - mean) * (y - mean);
        if (criterion == Criterion::kAbsoluteError) here = std::fabs(y - median);
        if (criterion == Criterion::kPoisson && y > 0) here = y * std::log(y / mean);
        sum += data.weight(row) * here;
    }
    return sum;
}

bool is_missing(const Numbers& data, std::size_t feature, std::size_t row) {
    const Column& column = data.table.columns[feature];
    return column.categorical ? column.code(row) < 0 : std::isnan(column.number(row));
}

struct Option {
    std::vector<std::uint8_t> branch;  // of each row of the node
    std::size_t n_branches = 2;
    std::size_t feature = 0;
    bool ordered = false;  // a threshold: monotonic constraints on the feature apply
    double gain = 0;
};

class Naive {
  public:
    Naive(const Numbers& data, const Options& options) : data_(data), options_(options) {}

    // All candidates of a node in their order, with their gains.
    std::vector<Option> candidates(const Rows& rows, double lower, double upper) const {
        std::vector<Option> out;
        for (std::size_t feature = 0; feature < data_.table.columns.size(); ++feature) {
            add_feature(rows, feature, out);
        }
        std::vector<Option> kept;
        for (Option& option : out) {
            if (judge(rows, option, lower, upper)) kept.push_back(std::move(option));
        }
        return kept;
    }

    Rows part(const Rows& rows, const Option& option, std::size_t branch) const {
        Rows out;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (option.branch[i] == branch) out.push_back(rows[i]);
        }
        return out;
    }
    double answer_of(const Rows& rows) const { return answer(options_.measure.kind, data_, rows); }

  private:
    void add_feature(const Rows& rows, std::size_t feature, std::vector<Option>& out) const {
        const Column& column = data_.table.columns[feature];
        // The value of each row as a step: its number, or its category's place by mean response.
        std::map<double, std::pair<long double, long double>> sums;
        Rows missing;
        for (const std::size_t row : rows) {
            if (is_missing(data_, feature, row)) {
                missing.push_back(row);
                continue;
            }
            auto& sum = sums[column.categorical ? column.code(row) : column.number(row)];
            sum.first += data_.weight(row);
            sum.second += static_cast<long double>(data_.weight(row)) * data_.y[row];
        }
        std::vector<std::pair<long double, double>> steps;  // what they are ordered by, value
        for (const auto& [value, sum] : sums) {
            const long double mean = std::round(sum.second / sum.first * 1e13L);
            steps.push_back({column.categorical ? mean : static_cast<long double>(value), value});
        }
        std::sort(steps.begin(), steps.end());
        for (std::size_t cut = 1; cut < steps.size(); ++cut) {
            std::vector<double> left;
            for (std::size_t i = 0; i < cut; ++i) left.push_back(steps[i].second);
            const auto add = [&](std::uint8_t missing_branch) {
                Option option;
                option.feature = feature;
                option.ordered = !column.categorical;
                option.n_branches = missing_branch == 2 ? 3 : 2;
                const bool swap =
                    column.categorical && std::find(left.begin(), left.end(), sums.begin()->first) == left.end();
                for (const std::size_t row : rows) {
                    std::uint8_t branch = missing_branch;
                    if (!is_missing(data_, feature, row)) {
                        const double value = column.categorical ? column.code(row) : column.number(row);
                        branch = std::find(left.begin(), left.end(), value) == left.end() ? 1 : 0;
                    }
                    option.branch.push_back(swap && branch < 2 ? 1 - branch : branch);
                }
                out.push_back(std::move(option));
            };
            if (missing.empty()) {
                add(0);
            } else if (options_.missing == MissingMode::kBranch && allowed(missing)) {
                add(2);
            } else {
                add(1);
                add(0);
            }
        }
        if (missing.empty() || missing.size() == rows.size()) return;
        Option option;
        option.feature = feature;
        for (const std::size_t row : rows) option.branch.push_back(is_missing(data_, feature, row) ? 0 : 1);
        out.push_back(std::move(option));
    }

    bool allowed(const Rows& rows) const {
        double weight = 0, sum = 0;
        for (const std::size_t row : rows) {
            weight += data_.weight(row);
            sum += data_.y[row];
        }
        return static_cast<std::int64_t>(rows.size()) >= options_.min_samples_leaf &&
               weight >= options_.min_weight_leaf && (options_.measure.kind != Criterion::kPoisson || sum > 0);
    }

    bool judge(const Rows& rows, Option& option, double lower, double upper) const {
        long double sum = loss(options_.measure.kind, data_, rows), weight = 0;
        for (const std::size_t row : rows) weight += data_.weight(row);
        std::vector<double> answers;
        for (std::size_t branch = 0; branch < option.n_branches; ++branch) {
            const Rows here = part(rows, option, branch);
            if (!allowed(here)) return false;
            sum -= loss(options_.measure.kind, data_, here);
            answers.push_back(answer_of(here));
            if (answers.back() < lower - 1e-12 || answers.back() > upper + 1e-12) return false;
        }
        option.gain = static_cast<double>(sum / weight);
        if (options_.monotonic.empty() || !option.ordered) return true;
        return options_.monotonic[option.feature] * (answers[1] - answers[0]) >= -1e-12;
    }

    const Numbers& data_;
    const Options& options_;
};

std::size_t route(const GrownTree& tree, std::size_t node, const Numbers& data, std::size_t row) {
    const auto feature = static_cast<std::size_t>(tree.feature[node]);
    const Column& column = data.table.columns[feature];
    const bool missing = is_missing(data, feature, row);
    if (tree.kind[node] == static_cast<std::int8_t>(Kind::kIsMissing)) return missing ? 0 : 1;
    if (missing) return static_cast<std::size_t>(tree.missing_branch[node]);
    if (!column.categorical) return column.number(row) <= tree.threshold[node] ? 0 : 1;
    for (auto i = tree.category_offset[node]; i < tree.category_offset[node + 1]; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (tree.category_code[at] == column.code(row)) return static_cast<std::size_t>(tree.category_branch[at]);
    }
    throw std::logic_error("a category of the training rows is not in the split");
}

bool near(double a, double b, double scale) {
    return std::fabs(a - b) <= 1e-10 * scale + 1e-300;
}

struct Walk {
    std::size_t splits = 0, wrong = 0;
    std::string first;
    void fail(std::size_t node, const std::string& what) {
        if (wrong++ == 0) first = "node " + std::to_string(node) + ": " + what;
    }
};

// Follows the rows through the tree and compares every node with the textbook.
void walk(const GrownTree& tree, std::size_t node, const Rows& rows, const Numbers& data, const Options& options,
          std::int64_t depth, double lower, double upper, Walk& report) {
    const Criterion criterion = options.measure.kind;
    const Naive naive(data, options);
    double weight = 0, sum = 0, squares = 0;
    for (const std::size_t row : rows) {
        weight += data.weight(row);
        sum += data.weight(row) * data.y[row];
        squares += data.weight(row) * data.y[row] * data.y[row];
    }
    const double* sums = tree.sums.data() + 3 * node;
    const double answer = tree.answer[node];
    const double size = std::fabs(sum) / weight + 1e-3;
    if (tree.n_rows[node] != static_cast<std::int64_t>(rows.size())) report.fail(node, "rows");
    if (sums[0] != weight || tree.weight[node] != weight || !near(sums[1], sum, std::fabs(sum)) ||
        !near(sums[2], squares, squares)) {
        report.fail(node, "sums");
    }
    if (std::fabs(answer - naive.answer_of(rows)) > 1e-15 * 4 * size) report.fail(node, "answer");
    const auto impurity = static_cast<double>(loss(criterion, data, rows) / weight);
    if (std::fabs(tree.impurity[node] - impurity) > 1e-10 * impurity + 1e-15) report.fail(node, "impurity");
    if (answer < lower || answer > upper) report.fail(node, "bounds");

    const bool pure =
        std::all_of(rows.begin(), rows.end(), [&](std::size_t r) { return data.y[r] == data.y[rows[0]]; });
    const bool leaf = tree.kind[node] == 0;
    const auto all = pure || depth >= options.max_depth ? std::vector<Option>{} : naive.candidates(rows, lower, upper);
    if (all.empty() || leaf) {
        if (!all.empty() || !leaf) report.fail(node, leaf ? "a leaf that can be split" : "a split from nothing");
        return;
    }
    ++report.splits;
    double best = -std::numeric_limits<double>::infinity();
    for (const Option& option : all) best = std::max(best, option.gain);
    std::vector<std::uint8_t> branch;
    for (const std::size_t row : rows) branch.push_back(static_cast<std::uint8_t>(route(tree, node, data, row)));
    std::size_t first_sure = all.size(), first_near = all.size(), chosen = all.size();
    for (std::size_t i = all.size(); i-- > 0;) {
        if (all[i].gain >= best - 0.99e-12 * impurity) first_sure = i;
        if (all[i].gain >= best - 1.01e-12 * impurity - 1e-17 * size) first_near = i;
        if (all[i].branch == branch && static_cast<std::int32_t>(all[i].feature) == tree.feature[node]) chosen = i;
    }
    if (chosen == all.size() || chosen > first_sure || chosen < first_near) report.fail(node, "not the best split");
    if (chosen < all.size() && std::fabs(tree.score[node] - all[chosen].gain) > 1e-11 * impurity + 1e-16 * size) {
        report.fail(node, "score");
    }
    if (chosen == all.size()) return;
    double middle = 0;
    const int sign = options.monotonic.empty() || !all[chosen].ordered ? 0 : options.monotonic[all[chosen].feature];
    const auto n_branches = static_cast<std::size_t>(tree.n_children[node]);
    const auto child = static_cast<std::size_t>(tree.first_child[node]);
    if (sign != 0) middle = tree.answer[child] / 2 + tree.answer[child + 1] / 2;
    for (std::size_t b = 0; b < n_branches; ++b) {
        double low = lower, high = upper;
        if (sign != 0 && b < 2) ((b == 0) == (sign > 0) ? high : low) = middle;
        walk(tree, child + b, naive.part(rows, all[chosen], b), data, options, depth + 1, low, high, report);
    }
}

void check_tree(const Numbers& data, const Options& options, std::size_t least_splits) {
    const GrownTree tree = grown(data, options);
    Rows rows(data.table.n_rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    Walk report;
    const double infinity = std::numeric_limits<double>::infinity();
    walk(tree, 0, rows, data, options, 0, -infinity, infinity, report);
    CHECK_EQUAL(report.first, std::string());
    CHECK(report.splits >= least_splits);
}

}  // namespace

CASE("the moments of rows without weights are those of rows with unit weights, to the last bit") {
    std::mt19937_64 random(8);
    std::vector<std::pair<double, double>> room;
    for (int trial = 0; trial < 3000; ++trial) {
        const std::size_t n = 1 + random() % (trial % 9 == 0 ? 200 : 20);
        const double far = trial % 4 == 0 ? 1e9 : 0.0;
        std::vector<double> y(n), ones(n, 1.0);
        for (double& number : y) {
            number = far + (trial % 3 == 0 ? static_cast<double>(random() % 3) - 1
                                           : std::ldexp(static_cast<double>(random() >> 11), -50) - 4);
            if (trial % 3 == 0 && random() % 2 == 0) number = -number;  // zeros of both signs
        }
        if (trial % 7 == 0) std::fill(y.begin(), y.end(), y[0]);
        CHECK(moments(Criterion::kSquaredError, {y, {}}, room) == moments(Criterion::kSquaredError, {y, ones}, room));
    }
}

CASE("the excess of the Poisson deviance is smooth where its two formulas meet") {
    for (const double x : {-1.0, -0.999, -0.5, -0.021, -0.02, -0.019, -1e-9, 0.0, 1e-9, 0.01, 0.0199, 0.0201, 3.0}) {
        const auto y = static_cast<long double>(x);
        const long double expected = x == -1 ? 1.0L : (1 + y) * std::log1p(y) - y;
        CHECK(std::fabs(poisson_excess(x) - static_cast<double>(expected)) <=
              1e-14 * static_cast<double>(expected) + 1e-19 * std::fabs(x));
    }
}

CASE("every split is the best of all, by the textbook") {
    std::uint64_t seed = 0;
    for (const Criterion criterion : kCriteria) {
        for (const bool counts : {false, true}) {
            for (const bool weighted : {false, true}) {
                for (const double missing : {0.0, 0.2}) {
                    Numbers data = make(70, missing, counts, 0, weighted, ++seed);
                    check_tree(data, with(criterion), 4);
                    if (counts) data.table.columns.resize(4);  // without many categories trees are deeper
                    Options leafy = with(criterion);
                    leafy.min_samples_leaf = 4;
                    leafy.min_weight_leaf = 4.5;
                    leafy.missing = MissingMode::kBranch;
                    check_tree(data, leafy, 3);
                    Options flat = with(criterion);
                    flat.max_depth = 3;
                    flat.histograms = false;
                    check_tree(data, flat, 2);
                }
            }
        }
    }
}

CASE("monotonic constraints hold, and nothing that keeps them is passed over") {
    std::uint64_t seed = 300;
    for (const Criterion criterion : kCriteria) {
        for (const MissingMode missing : {MissingMode::kLearn, MissingMode::kBranch}) {
            for (const bool weighted : {false, true}) {
                const Numbers data = make(60, 0.15, false, 0, weighted, ++seed);
                Options options = with(criterion);
                options.monotonic = {1, -1, 1, 0, 0};
                options.missing = missing;
                check_tree(data, options, 3);
            }
        }
    }
}

CASE("a node far from zero is split as well as one near it") {
    for (const Criterion criterion : {Criterion::kSquaredError, Criterion::kAbsoluteError}) {
        for (const double offset : {1e6, -1e9}) {
            // Multiples of 2^-20 stay exact when the offset is added.
            Numbers data = make(200, 0.1, false, 0, false, 77);
            for (double& y : data.y) y = std::round(y * 0x1p20) * 0x1p-20;
            const GrownTree near_zero = grown(data, with(criterion));
            for (double& y : data.y) y += offset;
            const GrownTree far = grown(data, with(criterion));
            CHECK_EQUAL(far.feature == near_zero.feature, true);
            CHECK(same(far.threshold, near_zero.threshold));
            CHECK_EQUAL(far.category_branch == near_zero.category_branch, true);
        }
    }
}

CASE("weights of one half give the tree of weights of one") {
    for (const Criterion criterion : kCriteria) {
        Numbers data = make(2000, 0.1, true, 0, false, 123);
        const GrownTree tree = grown(data, with(criterion));
        std::fill(data.table.weights.begin(), data.table.weights.end(), 0.5);
        data.weighted = true;
        const GrownTree light = grown(data, with(criterion));
        CHECK_EQUAL(light.feature == tree.feature, true);
        CHECK(same(light.threshold, tree.threshold));
        CHECK_EQUAL(light.missing_branch == tree.missing_branch, true);
        CHECK_EQUAL(light.category_branch == tree.category_branch, true);
    }
}

CASE("a random cut lies between the smallest and the largest value of its node") {
    const Numbers data = make(300, 0.1, false, 0, false, 7);
    for (const Criterion criterion : kCriteria) {
        Options options = with(criterion);
        options.random_cuts = true;
        options.seed = 3;
        const GrownTree tree = grown(data, options);
        std::vector<Rows> rows(tree.kind.size());
        rows[0].resize(data.table.n_rows);
        std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
        for (std::size_t node = 0; node < tree.kind.size(); ++node) {
            CHECK_EQUAL(static_cast<std::int64_t>(rows[node].size()), tree.n_rows[node]);
            if (tree.kind[node] == 0) continue;
            if (tree.kind[node] == static_cast<std::int8_t>(Kind::kThreshold)) {
                const auto feature = static_cast<std::size_t>(tree.feature[node]);
                double low = std::numeric_limits<double>::infinity(), high = -low;
                for (const std::size_t row : rows[node]) {
                    if (is_missing(data, feature, row)) continue;
                    low = std::min(low, data.table.columns[feature].number(row));
                    high = std::max(high, data.table.columns[feature].number(row));
                }
                CHECK(low <= tree.threshold[node] && tree.threshold[node] < high);
            }
            for (const std::size_t row : rows[node]) {
                rows[static_cast<std::size_t>(tree.first_child[node]) + route(tree, node, data, row)].push_back(row);
            }
        }
        CHECK(tree.kind.size() > 100);
        options.seed = 4;
        CHECK(!same(tree, grown(data, options)));
    }
}

CASE("medians of two sides, beside sorting") {
    std::mt19937_64 random(5);
    for (std::size_t round = 0; round < 200; ++round) {
        const std::size_t n = 1 + random() % 40;
        std::vector<double> y(n), weight(n);
        for (std::size_t i = 0; i < n; ++i) {
            y[i] = static_cast<double>(random() % 20) - 10;
            weight[i] = static_cast<double>(1 + random() % 4) / 2;
        }
        std::sort(y.begin(), y.end());
        MedianTree all, left;
        all.clear(n);
        left.clear(n);
        const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(2 * y[i] * weight[i]); };
        std::vector<double> doubled(y);
        for (double& value : doubled) value *= 2;
        for (std::size_t i = 0; i < n; ++i) all.put(i, weight[i], whole(i));
        all.close();
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), random);
        Rows moved;
        for (const std::size_t next : order) {
            left.add(next, weight[next], whole(next));
            moved.push_back(next);
            for (const bool is_left : {true, false}) {
                Numbers part;
                part.weighted = true;
                Rows rows;
                for (std::size_t i = 0; i < n; ++i) {
                    const bool inside = std::find(moved.begin(), moved.end(), i) != moved.end();
                    if (inside != is_left) continue;
                    part.y.push_back(y[i]);
                    part.table.weights.push_back(weight[i]);
                    rows.push_back(rows.size());
                }
                if (rows.empty()) continue;
                const MedianSide side = is_left ? MedianSide(left) : MedianSide(all, &left);
                CHECK_EQUAL(std::midpoint(y[side.lower()], y[side.upper()]),
                            answer(Criterion::kAbsoluteError, part, rows));
                CHECK_EQUAL(side.loss(doubled), 2 * static_cast<double>(loss(Criterion::kAbsoluteError, part, rows)));
            }
        }
    }
}

CASE("responses of any size are grown on") {
    for (const double size : {1e-320, 1e-300, 1e-160, 1e-100, 1e100, 1e139}) {
        for (const Criterion criterion : kCriteria) {
            for (const bool weighted : {false, true}) {
                Numbers data = make(60, 0.1, false, 0, weighted, 21);
                for (double& y : data.y) y *= size / 8;
                CHECK(!grown(data, with(criterion)).kind.empty());
                if (size == 1e-100 || size == 1e100) CHECK(grown(data, with(criterion)).kind.size() > 10);
            }
        }
    }
}

CASE("what is no regression is refused") {
    Numbers data = make(10, 0, false, 0, false, 1);
    Monitor monitor(nullptr);
    const auto grow_it = [&](const Options& options) { return grow_regression(data.problem(), options, monitor); };
    CHECK_THROWS(grow_it(Options{}), std::invalid_argument);
    data.y[3] = -1;
    CHECK_THROWS(grow_it(with(Criterion::kPoisson)), std::invalid_argument);
    CHECK(grow_it(with(Criterion::kSquaredError)).kind.size() > 1);
    std::fill(data.y.begin(), data.y.end(), 0.0);
    CHECK_THROWS(grow_it(with(Criterion::kPoisson)), std::invalid_argument);
    CHECK_EQUAL(grow_it(with(Criterion::kAbsoluteError)).kind.size(), std::size_t{1});
    data.y[0] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS(grow_it(with(Criterion::kSquaredError)), std::invalid_argument);
    data.y.pop_back();
    CHECK_THROWS(grow_it(with(Criterion::kSquaredError)), std::invalid_argument);
}
