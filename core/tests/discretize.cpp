#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "check.hpp"
#include "discretize/chimerge.hpp"
#include "discretize/gain.hpp"
#include "discretize/groups.hpp"
#include "discretize/ranking.hpp"
#include "discretize/scan.hpp"

using namespace boxwood;
using namespace boxwood::discretize;

namespace {

Monitor quiet() {
    return Monitor(nullptr);
}

Column column_of(const std::vector<double>& values) {
    return {reinterpret_cast<const std::byte*>(values.data()), static_cast<std::ptrdiff_t>(sizeof(double)), 0, false};
}

struct Data {
    std::vector<double> x;
    std::vector<std::int32_t> y;
    std::vector<double> w;
    std::size_t n_classes = 2;
    Labels labels() const { return {y, n_classes, w}; }
};

enum class Pattern { kAlternating, kNoise, kRare, kSlope };

Data data(std::size_t n, std::size_t n_classes, Pattern pattern, bool weighted, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit;
    Data out;
    out.n_classes = n_classes;
    for (std::size_t i = 0; i < n; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(n), u = unit(random);
        std::size_t k = i % n_classes;
        if (pattern == Pattern::kNoise) k = static_cast<std::size_t>(u * static_cast<double>(n_classes));
        if (pattern == Pattern::kRare) k = u < 0.03 ? 1 : 0;
        if (pattern == Pattern::kSlope) k = u < share ? 1 : 0;
        out.x.push_back(static_cast<double>(i) - std::floor(unit(random) * 1.5));  // some ties
        out.y.push_back(static_cast<std::int32_t>(k));
        if (weighted) out.w.push_back(std::floor(1 + unit(random) * 30) / 8);
    }
    return out;
}

Groups group_column(const std::vector<double>& x, const Labels& labels) {
    Monitor monitor = quiet();
    Groups out;
    const std::vector<Column> columns{column_of(x)};
    Team alone(1);
    group_columns(columns, labels, {}, alone, monitor,
                  [&](std::size_t, Groups&& groups, std::size_t) { out = std::move(groups); });
    return out;
}

double total_of(const Data& d) {
    double sum = d.w.empty() ? static_cast<double>(d.x.size()) : 0.0;
    for (const double w : d.w) sum += w;
    return sum;
}

// The best cut by looking at all.
template <class Meter>
Interval plain(const Runs& runs, std::size_t first, std::size_t end, Meter& meter, const Grid40& grid) {
    meter.clear();
    for (const Share& share : runs.of(first, end)) meter.add(share.label, share.weight);
    meter.ready();
    Interval best{-1, first, first, end};
    for (std::size_t run = first; run + 1 < end; ++run) {
        for (const Share& share : runs.of(run, run + 1)) meter.move(share.label, share.weight);
        const std::int64_t key = grid.key(meter.fine());
        if (key > best.key) best = {key, run, first, end};
    }
    return best;
}

template <class Meter>
void compare(const Runs& runs, std::size_t n_classes, Meter meter, std::uint64_t seed) {
    const Grid40 grid(1);
    Scanner<Meter> scanner(runs, n_classes, meter, grid);
    std::mt19937_64 random(seed);
    for (int trial = 0; trial < 30; ++trial) {
        std::size_t first = random() % runs.size(), end = random() % (runs.size() + 1);
        if (trial == 0) first = 0, end = runs.size();
        if (first > end) std::swap(first, end);
        if (end - first < 2) continue;
        const Interval found = scanner.best_cut(first, end), expected = plain(runs, first, end, meter, grid);
        CHECK_EQUAL(found.key, expected.key);
        CHECK_EQUAL(found.at, expected.at);
    }
}

template <class Meter>
void check_bounds(const Runs& runs, std::size_t n_classes, Meter meter, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> node(n_classes, 0.0), left(n_classes, 0.0);
    for (const Share& share : runs.of(0, runs.size())) node[share.label] += share.weight;
    std::vector<std::vector<double>> before;
    std::vector<std::int64_t> fine;
    meter.clear();
    for (const Share& share : runs.of(0, runs.size())) meter.add(share.label, share.weight);
    meter.ready();
    for (std::size_t run = 0; run + 1 < runs.size(); ++run) {
        for (const Share& share : runs.of(run, run + 1)) {
            meter.move(share.label, share.weight);
            left[share.label] += share.weight;
        }
        before.push_back(left);
        fine.push_back(meter.fine());
    }
    for (int trial = 0; trial < 40; ++trial) {
        const std::size_t low = random() % before.size(), high = low + random() % (before.size() - low);
        const double bound = meter.bound(node, before[low], before[high]);
        bool holds = true;
        for (std::size_t cut = low; cut <= high; ++cut) holds = holds && static_cast<double>(fine[cut]) <= bound;
        CHECK(holds);
    }
}

template <class Check>
void with_every_meter(const Check& check) {
    std::uint64_t seed = 0;
    for (const Pattern pattern : {Pattern::kAlternating, Pattern::kNoise, Pattern::kRare, Pattern::kSlope}) {
        for (const std::size_t n_classes : {2, 3, 9}) {
            for (const bool weighted : {false, true}) {
                const Data d = data(1500, n_classes, pattern, weighted, ++seed);
                const double total = total_of(d);
                const Runs runs = join_runs(group_column(d.x, d.labels()));
                check(runs, n_classes, EntropyByFormula(n_classes, total), seed);
                check(runs, n_classes, GiniByFormula(n_classes, total), seed);
                if (weighted) continue;
                const EntropyTerms table(total);
                check(runs, n_classes, EntropyByTable(n_classes, total, table), seed);
                check(runs, n_classes, GiniWhole(n_classes, total), seed);
            }
        }
    }
}

}  // namespace

CASE("groups are the distinct values, runs end at the boundary points, missing rows are in neither") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Data d;
    d.x = {2.0, 1.0, nan, 3.0, 3.0, 0.0, -0.0, 4.0};
    d.y = {0, 0, 1, 0, 1, 0, 0, 1};
    const Groups groups = group_column(d.x, d.labels());
    CHECK_EQUAL(groups.values, (std::vector<double>{0, 1, 2, 3, 4}));
    CHECK_EQUAL(groups.threshold(0), 0.5);
    const Runs runs = join_runs(groups);
    CHECK_EQUAL(runs.last, (std::vector<std::size_t>{2, 3, 4}));
    CHECK_EQUAL(runs.shares[0].weight, 4.0);
}

CASE("many values are grouped as few are") {
    // More than 255 values take another way through the ranks.
    Data d;
    for (int i = 0; i < 1000; ++i) {
        d.x.push_back((i * 7) % 500);
        d.y.push_back(i % 2);
    }
    const Groups groups = group_column(d.x, d.labels());
    CHECK_EQUAL(groups.size(), 500u);
    double sum = 0;
    for (const Share& share : groups.shares) sum += share.weight;
    CHECK_EQUAL(sum, 1000.0);
}

namespace {

// The groups by a map, whatever the number of values.
Groups plain_groups(const std::vector<double>& x, const Labels& labels) {
    std::map<double, std::map<std::uint32_t, double>> found;
    for (std::size_t row = 0; row < x.size(); ++row) {
        if (std::isnan(x[row])) continue;
        const double weight = labels.weights.empty() ? 1.0 : labels.weights[row];
        found[x[row] + 0.0][static_cast<std::uint32_t>(labels.target[row])] += weight;
    }
    Groups out;
    for (const auto& [value, classes] : found) {
        for (const auto& [label, weight] : classes) out.shares.push_back({weight, label});
        out.values.push_back(value);
        out.start.push_back(out.shares.size());
    }
    return out;
}

void check_same(Groups found, const Groups& expected) {
    CHECK_EQUAL(found.values, expected.values);
    CHECK_EQUAL(found.start, expected.start);
    bool same = found.shares.size() == expected.shares.size();
    for (std::size_t i = 0; same && i < found.size(); ++i) {
        const auto first = found.shares.begin() + static_cast<std::ptrdiff_t>(found.start[i]);
        const auto last = found.shares.begin() + static_cast<std::ptrdiff_t>(found.start[i + 1]);
        std::sort(first, last, [](const Share& a, const Share& b) { return a.label < b.label; });
        for (std::size_t at = found.start[i]; at < found.start[i + 1]; ++at) {
            same = same && found.shares[at].label == expected.shares[at].label &&
                   found.shares[at].weight == expected.shares[at].weight;
        }
    }
    CHECK(same);
}

}  // namespace

CASE("counted or sorted, whole or in parts, by one thread or three: the groups are the same") {
    std::mt19937_64 random(3);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double odd = std::bit_cast<double>(0x7FF8'0000'0000'0B0DULL);  // the bits of a free slot
    for (const std::size_t n_values : {1, 2, 20, 255, 256, 700, 5000}) {
        Data d;
        d.n_classes = 3;
        std::vector<double> negative;
        for (std::size_t row = 0; row < 6000; ++row) {
            const std::size_t number = random() % n_values;
            // Whole numbers, fractions, and both zeros.
            const double x = number % 3 == 0 ? static_cast<double>(number) : std::sqrt(static_cast<double>(number));
            d.x.push_back(row % 97 == 5 ? nan : row % 89 == 7 ? odd : number == 0 && row % 2 == 0 ? -0.0 : x);
            negative.push_back(-2.5 * d.x.back());
            d.y.push_back(static_cast<std::int32_t>(random() % 3));
            d.w.push_back(static_cast<double>(1 + random() % 8) / 4);
        }
        const std::vector<Column> columns{column_of(d.x), column_of(negative), column_of(d.x)};
        for (const Labels& labels : {d.labels(), Labels{d.y, 3, {}}}) {
            const std::vector<Groups> expected{plain_groups(d.x, labels), plain_groups(negative, labels)};
            for (const GroupOptions& options : {GroupOptions{}, GroupOptions{2, 1000}, GroupOptions{1, 499}}) {
                for (const std::size_t n_threads : {1, 3}) {
                    Monitor monitor = quiet();
                    Team team(n_threads);
                    std::vector<Groups> found(columns.size());
                    group_columns(columns, labels, options, team, monitor,
                                  [&](std::size_t j, Groups&& groups, std::size_t) { found[j] = std::move(groups); });
                    for (std::size_t j = 0; j < columns.size(); ++j) check_same(found[j], expected[j % 2]);
                }
            }
        }
    }
}

CASE("a stop is honoured within a column, while it is counted and while it is sorted") {
    // The story: a column of half a million rows took a tenth of a second, and a time limit waited for its end.
    for (const int n_values : {50, 1'000'000}) {
        Data d;
        for (int i = 0; i < 60'000; ++i) {
            d.x.push_back(static_cast<double>(i * 7919LL % n_values));
            d.y.push_back(i % 2);
        }
        const std::vector<Column> columns{column_of(d.x)};
        const auto polls_until = [&](int last) {
            int polls = 0, handed_over = 0;
            Monitor monitor([&](double) { return ++polls == last; }, Monitor::Pause(0));
            Team alone(1);
            group_columns(columns, d.labels(), {1, 5'000}, alone, monitor,
                          [&](std::size_t, Groups&&, std::size_t) { ++handed_over; });
            return std::pair{polls, handed_over};
        };
        const auto [all, done] = polls_until(-1);
        CHECK(all >= 10);
        CHECK_EQUAL(done, 1);
        for (int last = 1; last < all; last += 3) {
            const auto [polls, handed_over] = polls_until(last);
            CHECK(polls <= last + 3);  // what is under way ends
            CHECK(handed_over == 0 || last + 3 > all);
        }
    }
}

CASE("columns with missing cells are told from those without") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> whole(1000, 1.0), holed(1000, 1.0), infinite(1000, std::numeric_limits<double>::infinity());
    holed[997] = nan;
    std::vector<std::int32_t> codes(1000, 0), gone(1000, 0);
    gone[500] = kMissing;
    const auto coded = [](const std::vector<std::int32_t>& column) {
        return Column{reinterpret_cast<const std::byte*>(column.data()), 4, 1, true};
    };
    const std::vector<Column> columns{column_of(whole), column_of(holed), column_of(infinite), coded(codes),
                                      coded(gone)};
    CHECK(missing_columns(columns, 1000) == (std::vector<bool>{false, true, false, false, true}));
}

CASE("a threshold never reaches the upper value") {
    const double below = std::nextafter(1.0, 0.0);
    Data d;
    d.x = {below, 1.0};
    d.y = {0, 1};
    CHECK_EQUAL(group_column(d.x, d.labels()).threshold(0), below);
}

CASE("the search by halves finds the cut that looking at all finds, the first of equals") {
    with_every_meter([](const Runs& runs, std::size_t n_classes, auto meter, std::uint64_t seed) {
        compare(runs, n_classes, meter, seed);
    });
}

CASE("no cut between two marks gains more than the bound") {
    with_every_meter([](const Runs& runs, std::size_t n_classes, auto meter, std::uint64_t seed) {
        check_bounds(runs, n_classes, meter, seed);
    });
}

CASE("the meters agree on whole weights") {
    const Data d = data(400, 3, Pattern::kNoise, false, 5);
    const double total = total_of(d);
    const EntropyTerms table(total);
    const Runs runs = join_runs(group_column(d.x, d.labels()));
    EntropyByTable a(3, total, table);
    EntropyByFormula b(3, total);
    GiniWhole c(3, total);
    GiniByFormula e(3, total);
    for (const Share& share : runs.of(0, runs.size())) {
        a.add(share.label, share.weight);
        b.add(share.label, share.weight);
        c.add(share.label, share.weight);
        e.add(share.label, share.weight);
    }
    a.ready(), b.ready(), c.ready(), e.ready();
    for (std::size_t run = 0; run + 1 < runs.size(); ++run) {
        for (const Share& share : runs.of(run, run + 1)) {
            a.move(share.label, share.weight);
            b.move(share.label, share.weight);
            c.move(share.label, share.weight);
            e.move(share.label, share.weight);
        }
        CHECK_EQUAL(a.fine(), b.fine());
        CHECK(std::abs(c.fine() - e.fine()) < 200);
    }
}

CASE("a ranking is whole, without repetition, and its limit takes a prefix") {
    for (const bool weighted : {false, true}) {
        const Data d = data(900, 3, Pattern::kNoise, weighted, 11), other = data(900, 3, Pattern::kSlope, false, 12);
        const std::vector<Column> columns{column_of(d.x), column_of(other.x)};
        RankingOptions options;
        options.others = true;
        options.scale = 1;
        Monitor monitor = quiet();
        const Ranking all = rank_thresholds(columns, d.labels(), options, monitor);
        CHECK_EQUAL(all.feature.size(), all.n_cuts);
        std::set<std::pair<std::int32_t, double>> distinct;
        for (std::size_t i = 0; i < all.feature.size(); ++i) distinct.insert({all.feature[i], all.threshold[i]});
        CHECK_EQUAL(distinct.size(), all.n_cuts);
        options.limit = 37;
        const Ranking some = rank_thresholds(columns, d.labels(), options, monitor);
        CHECK_EQUAL(some.feature.size(), 37u);
        CHECK(std::equal(some.threshold.begin(), some.threshold.end(), all.threshold.begin()));
        options.limit = 0;
        CHECK(rank_thresholds(columns, d.labels(), options, monitor).feature.empty());
    }
}

CASE("threads and haste do not change a ranking, and a stopped one is the beginning of each column's list") {
    std::vector<Data> tables;
    for (unsigned seed = 0; seed < 20; ++seed) tables.push_back(data(3000, 4, Pattern::kNoise, false, seed));
    std::vector<Column> columns;
    for (const Data& table : tables) columns.push_back(column_of(table.x));
    RankingOptions options;
    options.scale = 1;
    Monitor monitor = quiet();
    const Ranking alone = rank_thresholds(columns, tables[0].labels(), options, monitor);
    CHECK(!alone.stopped);
    options.n_threads = 3;
    options.hasty = true;
    const Ranking shared = rank_thresholds(columns, tables[0].labels(), options, monitor);
    CHECK(shared.feature == alone.feature);
    CHECK(shared.threshold == alone.threshold);
    CHECK(shared.gain == alone.gain);
    CHECK_EQUAL(shared.n_cuts, alone.n_cuts);

    Monitor over = quiet();
    over.stop();
    const Ranking none = rank_thresholds(columns, tables[0].labels(), options, over);
    CHECK(none.stopped);
    CHECK(none.feature.empty());

    const auto start = std::chrono::steady_clock::now();
    Monitor soon([&](double) { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(60); });
    options.n_threads = 1;
    std::vector<Column> many;
    for (int copy = 0; copy < 200; ++copy) many.insert(many.end(), columns.begin(), columns.end());
    const Ranking some = rank_thresholds(many, tables[0].labels(), options, soon);
    CHECK(some.stopped);
    CHECK(some.feature.size() < 200 * alone.feature.size());
    const auto list_of = [](const Ranking& ranking, std::int32_t feature) {
        std::vector<double> out;
        for (std::size_t i = 0; i < ranking.feature.size(); ++i) {
            if (ranking.feature[i] == feature) out.push_back(ranking.threshold[i]);
        }
        return out;
    };
    for (std::int32_t feature = 0; feature < 20; ++feature) {
        const std::vector<double> ours = list_of(some, feature), theirs = list_of(alone, feature);
        CHECK(ours.size() <= theirs.size());
        CHECK(std::equal(ours.begin(), ours.end(), theirs.begin()));
    }
}

CASE("an infinite number is refused") {
    Data d;
    d.x = {1.0, std::numeric_limits<double>::infinity()};
    d.y = {0, 1};
    const std::vector<Column> columns{column_of(d.x)};
    Monitor monitor = quiet();
    CHECK_THROWS(rank_thresholds(columns, d.labels(), {}, monitor), std::domain_error);
}

CASE("a description that is shorter is worth it") {
    const std::vector<double> ten_none{10, 0}, none_ten{0, 10}, ten_nine{10, 9}, nine_ten{9, 10};
    CHECK(is_worth_describing(ten_none, none_ten));
    CHECK(!is_worth_describing(ten_nine, nine_ten));
    const std::vector<double> many(2000, 1.0);
    CHECK(!is_worth_describing(many, many));
}

CASE("intervals that are alike are joined") {
    Data d;
    for (int i = 0; i < 40; ++i) {
        d.x.push_back(i);
        d.y.push_back(i < 20 ? i % 2 : 1);
    }
    const std::vector<Column> columns{column_of(d.x)};
    Monitor monitor = quiet();
    const Ranking found = merge_alike(columns, d.labels(), {3.84, 15}, monitor);
    CHECK_EQUAL(found.threshold.size(), 1u);
    CHECK(found.gain[0] > 3.84);
    CHECK_EQUAL(merge_alike(columns, d.labels(), {3.84, 1}, monitor).threshold.size(), 0u);
    const std::vector<double> nothing(3, std::numeric_limits<double>::quiet_NaN());
    Data empty;
    empty.y = {0, 1, 0};
    const std::vector<Column> missing{column_of(nothing)};
    CHECK_EQUAL(merge_alike(missing, empty.labels(), {3.84, 15}, monitor).threshold.size(), 0u);
}
