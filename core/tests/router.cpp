#include "tree/router.hpp"

#include <cmath>
#include <stdexcept>

#include "check.hpp"

using namespace boxwood;

namespace {

// Root: x0 <= 1.5 (missing right); left a leaf; right: categories {0, 2} of column 1 left, {1} right.
struct Tree {
    std::vector<std::int32_t> n_categories{0, 5};
    std::vector<std::int8_t> kind{1, 0, 2, 0, 0};
    std::vector<std::int32_t> feature{0, -2, 1, -2, -2};
    std::vector<double> threshold{1.5, -2, NAN, -2, -2};
    std::vector<std::int32_t> first_child{1, -1, 3, -1, -1}, n_children{2, 0, 2, 0, 0};
    std::vector<std::int32_t> missing_branch{1, -1, 0, -1, -1}, unknown_branch{1, -1, kStop, -1, -1};
    std::vector<std::int64_t> category_offset{0, 0, 0, 3, 3, 3};
    std::vector<std::int32_t> category_code{0, 1, 2}, category_branch{0, 1, 0};
    std::vector<double> weight;
    // Of the root: column 1, category 3 to the left and 4 to the right.
    std::vector<std::int64_t> surrogate_offset, surrogate_category_offset;
    std::vector<std::int32_t> surrogate_feature, surrogate_code, surrogate_branch;
    std::vector<double> surrogate_threshold;
    std::vector<std::int8_t> surrogate_flipped;

    void spread() {
        weight = {8, 2, 6, 1.5, 4.5};
        missing_branch[0] = unknown_branch[0] = missing_branch[2] = unknown_branch[2] = kSpread;
    }
    void ask_surrogates() {
        surrogate_offset = {0, 1, 1, 1, 1, 1};
        surrogate_feature = {1};
        surrogate_threshold = {NAN};
        surrogate_flipped = {0};
        surrogate_category_offset = {0, 2};
        surrogate_code = {3, 4};
        surrogate_branch = {0, 1};
    }
    TreeView view() const {
        return {n_categories,
                kind,
                feature,
                threshold,
                first_child,
                n_children,
                missing_branch,
                unknown_branch,
                category_offset,
                category_code,
                category_branch,
                weight,
                {surrogate_offset, surrogate_feature, surrogate_threshold, surrogate_flipped, surrogate_category_offset,
                 surrogate_code, surrogate_branch}};
    }
};

std::vector<Column> columns_of(const std::vector<double>& x, const std::vector<std::int32_t>& codes) {
    return {{reinterpret_cast<const std::byte*>(x.data()), 8, 0, false},
            {reinterpret_cast<const std::byte*>(codes.data()), 4, 5, true}};
}

std::vector<std::int32_t> route(const Tree& tree, const std::vector<double>& x,
                                const std::vector<std::int32_t>& codes) {
    std::vector<std::int32_t> out(x.size());
    Team team(1);
    Router(tree.view()).apply(columns_of(x, codes), x.size(), false, out.data(), team);
    return out;
}

}  // namespace

CASE("rows go where the rule says: thresholds, categories, missing, unknown") {
    Tree tree;
    const std::vector<double> x{1.5, std::nextafter(1.5, 2.0), NAN, 2, 2, 2, 2, -INFINITY};
    const std::vector<std::int32_t> codes{1, 0, 1, 2, kMissing, 4, kUnknown, kUnknown};
    CHECK_EQUAL(route(tree, x, codes), (std::vector<std::int32_t>{1, 3, 4, 3, 3, 2, 2, 1}));
    tree.unknown_branch[2] = kError;
    CHECK_EQUAL(route(tree, x, codes), (std::vector<std::int32_t>{1, 3, 4, 3, 3, -3, -3, 1}));
}

CASE("a row that is spread ends at several nodes, and answers by its shares") {
    Tree tree;
    tree.spread();
    const std::vector<double> x{NAN, 2, NAN, 1};
    const std::vector<std::int32_t> codes{kMissing, kUnknown, 1, kMissing};
    CHECK_EQUAL(route(tree, x, codes), (std::vector<std::int32_t>{4, 4, 4, 1}));
    const Router router(tree.view());
    Team team(1);
    std::vector<std::int64_t> offset;
    const auto ends = router.ends(columns_of(x, codes), x.size(), offset, team);
    CHECK_EQUAL(offset, (std::vector<std::int64_t>{0, 3, 5, 7, 8}));
    CHECK_EQUAL(ends[0].share, 0.25);
    CHECK_EQUAL(ends[1].share, 0.75 * 0.25);
    CHECK_EQUAL(ends[2].node, 4);
    const auto passed = router.passed(columns_of(x, codes), x.size(), offset, team);
    CHECK_EQUAL(passed, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 0, 2, 3, 4, 0, 1, 2, 4, 0, 1}));
    const std::vector<double> values{0, 1, 0, 10, 100};
    std::vector<std::int32_t> out(x.size());
    std::vector<double> mixed(x.size());
    router.mix(columns_of(x, codes), x.size(), false, values.data(), 1, out.data(), mixed.data(), team);
    CHECK_EQUAL(mixed, (std::vector<double>{0.25 + 1.875 + 56.25, 77.5, 75.25, 1}));
    tree.unknown_branch[2] = kError;
    CHECK_EQUAL(route(tree, {NAN}, {kUnknown}), (std::vector<std::int32_t>{-3}));
}

CASE("a missing value asks the surrogates, an unknown one only on its way to a branch") {
    Tree tree;
    tree.ask_surrogates();
    CHECK_EQUAL(route(tree, {NAN, NAN, NAN}, {3, 4, 0}), (std::vector<std::int32_t>{1, 2, 3}));
    tree.spread();
    CHECK_EQUAL(route(tree, {NAN, NAN}, {3, 0}), (std::vector<std::int32_t>{1, 3}));
}

CASE("surrogates that are none are refused") {
    const auto refused = [](auto damage) {
        Tree tree;
        tree.ask_surrogates();
        Router(tree.view());
        damage(tree);
        CHECK_THROWS(Router(tree.view()), std::invalid_argument);
    };
    refused([](Tree& t) { t.surrogate_offset[5] = 2; });
    refused([](Tree& t) { t.surrogate_offset = {0, 0, 1, 1, 1, 1}; });  // of a leaf
    refused([](Tree& t) { t.surrogate_offset = {0, 2, 1, 1, 1, 1}; });
    refused([](Tree& t) { t.surrogate_offset.pop_back(); });
    refused([](Tree& t) { t.surrogate_feature[0] = 2; });
    refused([](Tree& t) { t.surrogate_feature[0] = -1; });
    refused([](Tree& t) { t.surrogate_feature[0] = 0; });  // the node's own
    refused([](Tree& t) { t.surrogate_threshold[0] = 1; });
    refused([](Tree& t) { t.surrogate_flipped[0] = 1; });
    refused([](Tree& t) { t.surrogate_flipped.clear(); });
    refused([](Tree& t) { t.surrogate_code = {4, 3}; });
    refused([](Tree& t) { t.surrogate_code = {3, 5}; });
    refused([](Tree& t) { t.surrogate_branch = {0, 2}; });
    refused([](Tree& t) { t.surrogate_category_offset = {0, 0}; });
    refused([](Tree& t) { t.surrogate_category_offset = {0, 99}; });
}

CASE("rows cannot be spread over nothing") {
    const auto refused = [](auto damage) {
        Tree tree;
        tree.spread();
        Router(tree.view());
        damage(tree);
        CHECK_THROWS(Router(tree.view()), std::invalid_argument);
    };
    refused([](Tree& t) { t.weight.clear(); });
    refused([](Tree& t) { t.weight.pop_back(); });
    refused([](Tree& t) { t.weight[1] = 0; });
    refused([](Tree& t) { t.weight[4] = NAN; });
    refused([](Tree& t) { t.weight[3] = -1; });
    refused([](Tree& t) { t.weight[2] = INFINITY; });
}

CASE("a tree that is none is refused, whatever is wrong with it") {
    const auto refused = [](auto damage) {
        Tree tree;
        damage(tree);
        CHECK_THROWS(Router(tree.view()), std::invalid_argument);
    };
    refused([](Tree& t) { t.first_child[0] = 0; });  // a cycle
    refused([](Tree& t) { t.first_child[2] = 4; });  // beyond the end
    refused([](Tree& t) { t.first_child[0] = -7; });
    refused([](Tree& t) { t.n_children[0] = 2'000'000'000; });
    refused([](Tree& t) { t.n_children[0] = 1; });
    refused([](Tree& t) { t.n_children[1] = 2; });
    refused([](Tree& t) { t.feature[0] = 2; });
    refused([](Tree& t) { t.feature[0] = -1; });
    refused([](Tree& t) { t.feature[0] = 1; });  // a threshold on categories
    refused([](Tree& t) { t.feature[2] = 0; });  // categories on numbers
    refused([](Tree& t) { t.kind[0] = 9; });
    refused([](Tree& t) { t.threshold[0] = NAN; });
    refused([](Tree& t) { t.missing_branch[0] = 2; });
    refused([](Tree& t) { t.unknown_branch[2] = -4; });
    refused([](Tree& t) { t.missing_branch[2] = kError; });
    refused([](Tree& t) { t.unknown_branch[2] = kSpread; });  // without weights

    refused([](Tree& t) { t.category_code[1] = 0; });  // not ascending
    refused([](Tree& t) { t.category_code[2] = 5; });
    refused([](Tree& t) { t.category_branch[0] = 2; });
    refused([](Tree& t) { t.category_offset[3] = 99; });
    refused([](Tree& t) { t.category_offset[2] = -1; });
    refused([](Tree& t) { t.threshold.pop_back(); });
    refused([](Tree& t) { t.kind.clear(); });
}
