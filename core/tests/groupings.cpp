#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "check.hpp"
#include "search/categorical/division.hpp"
#include "search/categorical/max_cut/cut.hpp"
#include "search/categorical/max_cut/greedy.hpp"
#include "search/categorical/max_cut/local_search.hpp"
#include "search/categorical/max_cut/relaxation.hpp"
#include "search/categorical/one_table.hpp"
#include "search/categorical/search.hpp"

using namespace boxwood;

namespace {

constexpr CategorySplit kSearches[] = {
    CategorySplit::kAuto,           CategorySplit::kExact,       CategorySplit::kTwoing, CategorySplit::kSliq,
    CategorySplit::kSliqExt,        CategorySplit::kPc,          CategorySplit::kPcExt,  CategorySplit::kLargestAlone,
    CategorySplit::kListScheduling, CategorySplit::kSquaredGini, CategorySplit::kChi2,   CategorySplit::kSquaredGiniSdp,
    CategorySplit::kChi2Sdp};

std::vector<double> table(std::size_t n, std::size_t k, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> counts(n * k);
    for (double& c : counts) c = static_cast<double>(random() % 5) / 4;
    for (std::size_t v = 0; v < n; ++v) counts[v * k + v % k] += 1;
    return counts;
}

std::vector<double> permuted(const std::vector<double>& counts, std::size_t k, const std::vector<std::size_t>& order) {
    std::vector<double> out;
    for (const std::size_t v : order) {
        for (std::size_t c = 0; c < k; ++c) out.push_back(counts[v * k + c]);
    }
    return out;
}

}  // namespace

CASE("a table gives the same groups in any order of its values, and none is better than exact") {
    std::mt19937_64 random(1);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::size_t n = 2 + seed % 13, k = 2 + seed % 4;
        const auto counts = table(n, k, seed);
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), random);
        for (const Criterion kind : {Criterion::kGini, Criterion::kEntropy, Criterion::kError, Criterion::kTwoing}) {
            const Measure measure{kind, 0, CutRule::kAll};
            const auto best = split_one_table(groups_of_table(counts, k), k, measure, CategorySplit::kExact, {});
            for (const CategorySplit method : kSearches) {
                const auto one = split_one_table(groups_of_table(counts, k), k, measure, method, {});
                const auto other =
                    split_one_table(groups_of_table(permuted(counts, k, order), k), k, measure, method, {});
                CHECK(one.merit <= best.merit + 1e-12);
                CHECK(one.merit == other.merit);
                bool same = true;
                for (std::size_t i = 0; i < n; ++i) {
                    same &= (other.branch[i] == other.branch[0]) == (one.branch[order[i]] == one.branch[order[0]]);
                }
                CHECK(same);
            }
        }
    }
}

CASE("what a division would be worth after a move is what it is worth then") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const std::size_t n = 3 + seed % 9, k = 2 + seed % 4;
        ValueTable values;
        values.fill(groups_of_table(table(n, k, seed), k), k, false);
        for (const Criterion kind : {Criterion::kGini, Criterion::kEntropy, Criterion::kSine, Criterion::kHellinger}) {
            Division division(values, {kind, 0, CutRule::kAll});
            std::mt19937_64 random(seed);
            for (int step = 0; step < 30; ++step) {
                const std::size_t v = random() % n;
                const double told = division.worth_after(v);
                division.flip(v);
                const double found = division.worth();
                CHECK(told == found || std::fabs(told - found) < 1e-9);
                Division fresh(values, {kind, 0, CutRule::kAll});
                fresh.set(division.branch());
                CHECK(fresh.worth() == found || std::fabs(fresh.worth() - found) < 1e-9);
            }
        }
    }
}

CASE("values of equal shares are one") {
    const std::vector<double> counts{1, 3, 2, 6, 3, 1, 0.5, 1.5};
    ValueTable values;
    values.fill(groups_of_table(counts, 2), 2, true);
    CHECK_EQUAL(values.size(), 2u);
    CHECK_EQUAL(values.weight, 18.0);
    CHECK_EQUAL(values.first, (std::vector<std::uint32_t>{0, 1, 4}));
    CHECK_EQUAL(values.member, (std::vector<std::uint32_t>{2, 1, 0, 3}));
    values.fill(groups_of_table(counts, 2), 2, false);
    CHECK_EQUAL(values.size(), 4u);
}

CASE("a minimum leaf size that forbids the grouping opens others") {
    // Value 0 alone is the best group, but too light.
    const std::vector<double> counts{0, 2, 0, 9, 1, 0, 8, 2, 0, 7, 3, 0};
    const Groups groups = groups_of_table(counts, 3);
    for (const CategorySplit method : kSearches) {
        GroupRequest request;
        request.method = method;
        request.room.minimum = {1, 5.0};
        request.room.known = 32;
        request.room.known_rows = 4;
        GroupSearch search;
        prepare(search, groups, std::vector<double>{24, 8, 0}, request);
        bool some = search.grouping == Grouping::kSubset;
        for (std::uint32_t at = 1; at <= groups.size() && !some; ++at) {
            const bool tried = at < groups.size() ? search.only_prefix != GroupSearch::kNoPrefix && search.looks_at(at)
                                                  : !search.chosen.empty();
            if (!tried) continue;
            std::vector<std::uint8_t> branch;
            search.branches(at, groups.size(), branch);
            double left = 0;
            for (std::size_t g = 0; g < groups.size(); ++g) left += branch[g] == 0 ? groups.weight[g] : 0;
            some = left >= 5 && 32 - left >= 5;
        }
        CHECK(some);
    }
}

CASE("cuts: greedy is half of all weight, search never loses, the relaxation bounds them") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const std::size_t n = 4 + seed * 3;
        std::mt19937_64 random(seed);
        Graph graph(n);
        double all = 0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j) {
                graph.set(i, j, static_cast<double>(random() % 8));
                all += graph(i, j);
            }
        }
        auto side = greedy_cut(graph);
        const double greedy = cut_weight(graph, side);
        CHECK(greedy >= all / 2);
        improve_cut(graph, side, usual_limit(n));
        const double improved = cut_weight(graph, side);
        CHECK(improved >= greedy);
        const Relaxation relaxation = relax_cut(graph);
        CHECK(improved <= relaxation.value * (1 + 1e-4));
        CHECK(cut_weight(graph, heavy_cut(graph, true)) >= 0.878 * relaxation.value);
    }
    CHECK_EQUAL(heavy_cut(Graph(2), false), (std::vector<std::uint8_t>{1, 0}));
}

CASE("what a search cannot take it refuses") {
    const auto many = groups_of_table(table(60, 3, 0), 3);
    CHECK_THROWS(split_one_table(many, 3, {}, CategorySplit::kExact, {}), std::invalid_argument);
    const auto classes = groups_of_table(table(20, 17, 0), 17);
    CHECK_THROWS(split_one_table(classes, 17, {}, CategorySplit::kTwoing, {}), std::invalid_argument);
    CHECK_THROWS(split_one_table(classes, 17, {}, CategorySplit::kMultiway, {}), std::invalid_argument);
    CHECK_THROWS(groups_of_table(std::vector<double>{0, 0, 1, 2}, 2), std::invalid_argument);
}
