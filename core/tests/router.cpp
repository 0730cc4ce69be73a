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

    TreeView view() const {
        return {n_categories,   kind,           feature,         threshold,     first_child,    n_children,
                missing_branch, unknown_branch, category_offset, category_code, category_branch};
    }
};

std::vector<std::int32_t> route(const Tree& tree, const std::vector<double>& x,
                                const std::vector<std::int32_t>& codes) {
    const std::vector<Column> columns{{reinterpret_cast<const std::byte*>(x.data()), 8, 0, false},
                                      {reinterpret_cast<const std::byte*>(codes.data()), 4, 5, true}};
    std::vector<std::int32_t> out(x.size());
    Team team(1);
    Router(tree.view()).apply(columns, x.size(), false, out.data(), team);
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
