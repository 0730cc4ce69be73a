#include "tree/router.hpp"

#include <stdexcept>

#include "check.hpp"
#include "tables.hpp"

using namespace boxwood;

namespace {

// The arrays of a tree, to be changed by the tests before a router sees them.
struct Arrays {
    std::vector<std::int32_t> n_categories{0, 3};
    std::vector<std::int8_t> kind;
    std::vector<std::int32_t> feature;
    std::vector<double> threshold;
    std::vector<std::int32_t> first_child, n_children, missing_branch, unknown_branch;
    std::vector<std::int64_t> category_offset{0};
    std::vector<std::int32_t> category_code, category_branch;

    void add(Kind what, std::int32_t column, double cut, std::int32_t first, std::int32_t count, std::int32_t missing,
             std::int32_t unknown, const std::vector<std::pair<std::int32_t, std::int32_t>>& categories = {}) {
        kind.push_back(static_cast<std::int8_t>(what));
        feature.push_back(column);
        threshold.push_back(cut);
        first_child.push_back(first);
        n_children.push_back(count);
        missing_branch.push_back(missing);
        unknown_branch.push_back(unknown);
        for (const auto& [code, branch] : categories) {
            category_code.push_back(code);
            category_branch.push_back(branch);
        }
        category_offset.push_back(static_cast<std::int64_t>(category_code.size()));
    }
    void leaf() { add(Kind::kLeaf, -2, -2.0, -1, 0, -1, -1); }

    TreeView view() const {
        return {n_categories,   kind,           feature,         threshold,     first_child,    n_children,
                missing_branch, unknown_branch, category_offset, category_code, category_branch};
    }
    std::vector<std::int32_t> apply(const std::vector<double>& x, const std::vector<std::int32_t>& c,
                                    std::size_t n_threads = 1) const {
        const Router router(view());
        const std::vector<Column> columns{numbers(x), codes(c, 3)};
        std::vector<std::int32_t> ends(x.size(), 99);
        Team team(n_threads);
        router.apply(columns, x.size(), ends.data(), team);
        return ends;
    }
};

using Ends = std::vector<std::int32_t>;

Arrays threshold_tree(std::int32_t missing) {
    Arrays tree;
    tree.add(Kind::kThreshold, 0, 1.5, 1, 2, missing, missing);
    tree.leaf();
    tree.leaf();
    return tree;
}

}  // namespace

CASE("a row equal to the threshold goes left, a missing one where the node says") {
    const std::vector<double> x{1.0, 1.5, std::nextafter(1.5, 2.0), kNaN};
    const std::vector<std::int32_t> c(4, 0);
    CHECK_EQUAL(threshold_tree(0).apply(x, c), (Ends{1, 1, 2, 1}));
    CHECK_EQUAL(threshold_tree(1).apply(x, c), (Ends{1, 1, 2, 2}));
    CHECK_EQUAL(threshold_tree(kStop).apply(x, c), (Ends{1, 1, 2, 0}));
}

CASE("missing rows can have a branch of their own") {
    Arrays tree;
    tree.add(Kind::kThreshold, 0, 1.5, 1, 3, 2, 2);
    for (int i = 0; i < 3; ++i) tree.leaf();
    CHECK_EQUAL(tree.apply({1, 2, kNaN}, {0, 0, 0}), (Ends{1, 2, 3}));
}

CASE("categories go to their branch, others where the node says") {
    for (const Kind kind : {Kind::kSubset, Kind::kMultiway}) {
        Arrays tree;
        tree.add(kind, 1, kNaN, 1, 2, 0, 1, {{0, 1}, {2, 0}});
        tree.leaf();
        tree.leaf();
        const std::vector<double> x(5, 0.0);
        const std::vector<std::int32_t> c{0, 2, 1, kMissing, kUnknown};
        CHECK_EQUAL(tree.apply(x, c), (Ends{2, 1, 2, 1, 2}));
        tree.unknown_branch[0] = kStop;
        CHECK_EQUAL(tree.apply(x, c), (Ends{2, 1, 0, 1, 0}));
        tree.unknown_branch[0] = kError;
        CHECK_EQUAL(tree.apply(x, c), (Ends{2, 1, -1, 1, -1}));
    }
}

CASE("is-missing asks only that") {
    Arrays tree;
    tree.add(Kind::kIsMissing, 1, kNaN, 1, 2, 0, 1);
    tree.leaf();
    tree.add(Kind::kIsMissing, 0, kNaN, 3, 2, 0, 0);
    tree.leaf();
    tree.leaf();
    CHECK_EQUAL(tree.apply({1, kNaN, 1, kNaN}, {kMissing, 0, 1, 2}), (Ends{1, 3, 4, 3}));
}

CASE("long tables and many threads give the same ends as one row at a time") {
    Arrays tree;
    tree.add(Kind::kThreshold, 0, 0.5, 1, 2, 1, 1);
    tree.add(Kind::kSubset, 1, kNaN, 3, 2, 1, 0, {{0, 0}, {1, 1}});
    tree.add(Kind::kThreshold, 0, 0.75, 5, 2, 0, 0);
    for (int i = 0; i < 4; ++i) tree.leaf();
    const RandomTable table(10007, 2, 2, 5);
    std::vector<std::int32_t> c = table.category;
    for (auto& code : c) code = code > 2 ? kUnknown : code;
    const Ends one = tree.apply(table.numeric[1], c, 1);
    CHECK(one == tree.apply(table.numeric[1], c, 4));
    bool same = true;
    for (std::size_t row = 0; row < one.size(); row += 97) {
        same &= tree.apply({table.numeric[1][row]}, {c[row]})[0] == one[row];
    }
    CHECK(same);
}

CASE("a tree of one leaf takes every row, and no rows are fine") {
    Arrays tree;
    tree.leaf();
    CHECK_EQUAL(tree.apply({1, kNaN}, {0, kUnknown}), (Ends{0, 0}));
    CHECK(tree.apply({}, {}).empty());
}

CASE("a damaged tree is refused before a row is routed") {
    const auto refused = [](auto change) {
        Arrays tree;
        tree.add(Kind::kThreshold, 0, 0.5, 1, 2, 1, 1);
        tree.add(Kind::kSubset, 1, kNaN, 3, 2, 1, 0, {{0, 0}, {1, 1}});
        for (int i = 0; i < 3; ++i) tree.leaf();
        Router{tree.view()};  // as it is, it is fine
        change(tree);
        CHECK_THROWS(Router(tree.view()), std::invalid_argument);
    };
    refused([](Arrays& tree) { tree.first_child[0] = 0; });          // a cycle
    refused([](Arrays& tree) { tree.first_child[1] = 1; });          // a child before its parent
    refused([](Arrays& tree) { tree.first_child[1] = 4; });          // past the end
    refused([](Arrays& tree) { tree.n_children[0] = 2000000000; });  // very many children
    refused([](Arrays& tree) { tree.n_children[0] = 1; });           // too few
    refused([](Arrays& tree) { tree.feature[0] = 2; });              // no such column
    refused([](Arrays& tree) { tree.feature[0] = 1; });              // a threshold on categories
    refused([](Arrays& tree) { tree.feature[1] = 0; });              // categories of a numeric column
    refused([](Arrays& tree) { tree.kind[0] = 9; });                 // no such kind
    refused([](Arrays& tree) { tree.threshold[0] = kNaN; });         // nothing is <= NaN
    refused([](Arrays& tree) { tree.missing_branch[0] = 2; });       // no such branch
    refused([](Arrays& tree) { tree.unknown_branch[1] = -3; });      // no such answer
    refused([](Arrays& tree) { tree.category_code[1] = 3; });        // no such category
    refused([](Arrays& tree) { tree.category_code[1] = 0; });        // one listed twice
    refused([](Arrays& tree) { tree.category_branch[0] = 2; });      // no such branch
    refused([](Arrays& tree) { tree.category_offset[2] = 3; });      // past the end
    refused([](Arrays& tree) { tree.category_offset[1] = -1; });     // before the beginning
    refused([](Arrays& tree) { tree.category_offset.pop_back(); });  // one short
    refused([](Arrays& tree) { tree.missing_branch.pop_back(); });   // arrays of two lengths
}
