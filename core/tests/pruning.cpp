// Passes over the nodes of a tree, the weakest links, the best subtree of every size, and raising, on trees that can be
// worked out by hand.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "pruning/best_sizes.hpp"
#include "pruning/bottom_up.hpp"
#include "pruning/raising.hpp"
#include "pruning/weakest_link.hpp"

namespace {

using namespace boxwood;
using namespace boxwood::pruning;

// 0 -> 1 2;  1 -> 3 4 5
const std::vector<std::int32_t> kFirst{1, 3, -1, -1, -1, -1}, kCount{2, 3, 0, 0, 0, 0};
const Shape kShape{kFirst, kCount};
const std::vector<double> kRisk{10, 6, 1, 1, 1, 1};

}  // namespace

CASE("a shape that is none is refused") {
    kShape.check();
    const std::vector<std::int32_t> cycle{0, 3, -1, -1, -1, -1}, beyond{1, 4, -1, -1, -1, -1};
    CHECK_THROWS((Shape{cycle, kCount}.check()), std::invalid_argument);
    CHECK_THROWS((Shape{beyond, kCount}.check()), std::invalid_argument);
    CHECK_THROWS((Shape{{}, {}}.check()), std::invalid_argument);
}

CASE("sums, extremes and the cheapest subtree") {
    std::vector<double> sums{0, 0, 7, 1, 2, 3};
    add_up(kShape, 1, sums.data());
    CHECK_EQUAL(sums[0], 13.0);
    CHECK_EQUAL(sums[1], 6.0);
    const std::vector<std::uint8_t> leaves{0, 0, 1, 1, 1, 1};
    const Extremes found = extremes(kShape, sums, leaves);
    CHECK_EQUAL(found.least[0], 1.0);
    CHECK_EQUAL(found.largest[0], 7.0);
    CHECK_EQUAL(found.largest[1], 3.0);
    const std::vector<double> leaf{9, 6, 2, 2, 2, 2}, own(6, 0.0);
    const Cheapest best = cheapest(kShape, leaf, own, 0.0);
    CHECK_EQUAL(int{best.collapsed[1]}, 1);  // 6 <= 2 + 2 + 2: ties prune
    CHECK_EQUAL(int{best.collapsed[0]}, 0);
    CHECK_EQUAL(best.cost[0], 8.0);
}

CASE("weakest links") {
    const Links links = weakest_links(kShape, kRisk);
    CHECK_EQUAL(links.node.size(), std::size_t{2});
    CHECK_EQUAL(links.node[0], 1);
    CHECK_EQUAL(links.alpha[0], 1.5);  // (6 - 3) / 2
    CHECK_EQUAL(links.alpha[1], 3.0);  // (10 - 7) / 1
    CHECK_EQUAL(links.risk[0], 4.0);
    CHECK_EQUAL(links.risk[2], 10.0);
}

CASE("the best subtree of every size") {
    const BestSizes found(kShape, kRisk, 4);
    const std::vector<double> expected{10, 7, std::numeric_limits<double>::infinity(), 4};
    CHECK(found.risks() == expected);
    CHECK_EQUAL(int{found.collapsed(2)[1]}, 1);
    CHECK_EQUAL(int{found.collapsed(2)[0]}, 0);
    CHECK_EQUAL(int{found.collapsed(1)[0]}, 1);
    CHECK_EQUAL(BestSizes(kShape, kRisk, 2).risks().size(), std::size_t{2});
}

CASE("a largest branch takes the place of a node that does nothing") {
    // x0 <= 0 separates nothing; below it, on the side with most rows, x1 <= 0 separates the classes.
    const std::vector<std::int8_t> kind{1, 0, 1, 0, 0};
    const std::vector<std::int32_t> feature{0, -2, 1, -2, -2}, first{1, -1, 3, -1, -1}, count{2, 0, 2, 0, 0};
    const std::vector<double> threshold{0, -2, 0, -2, -2};
    const std::vector<std::int32_t> branch{0, -1, 0, -1, -1}, n_categories{0, 0}, none;
    const std::vector<std::int64_t> offset(6, 0);
    const Router router({n_categories, kind, feature, threshold, first, count, branch, branch, offset, none, none});
    std::vector<double> x0, x1;
    std::vector<std::int32_t> target, leaf;
    for (int i = 0; i < 40; ++i) {
        x0.push_back(i < 4 ? -1 : 1);
        x1.push_back(i % 2 ? 1 : -1);
        target.push_back(i % 2);
        leaf.push_back(i < 4 ? 1 : i % 2 ? 4 : 3);
    }
    const auto column = [](const std::vector<double>& values) {
        return Column{reinterpret_cast<const std::byte*>(values.data()), sizeof(double), 0, false};
    };
    const std::array<Column, 2> columns{column(x0), column(x1)};
    const std::vector<double> counts{20, 20, 2, 2, 18, 18, 18, 0, 0, 18}, size{1, 1};
    const std::vector<std::int64_t> n_rows{40, 4, 36, 18, 18};
    const RaisingRule rule{{0.25, 0.6744897501960817, true}, 0.1, 2, size, {}, 1e-6, true};
    const Shape shape{first, count};
    for (const bool spreads : {false, true}) {
        const RaisingRows rows{columns, target, {}, leaf, spreads};
        const Raised found = prune_and_raise(shape, router, rows, rule, counts, n_rows);
        CHECK_EQUAL(found.n_raised, 1);
        CHECK_EQUAL(found.source.size(), std::size_t{3});
        CHECK_EQUAL(found.source[0], 2);
        CHECK(found.counts == (std::vector<double>{20, 20, 20, 0, 0, 20}));
        CHECK_EQUAL(found.n_rows[1], 20);
    }
    std::vector<std::int32_t> others = target;
    others[7] = 0;
    const RaisingRows rows{columns, others, {}, leaf, false};
    CHECK_THROWS(prune_and_raise(shape, router, rows, rule, counts, n_rows), std::invalid_argument);
}
