// The solver against the plain one, on random problems with every option, on every instruction set there is.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "check.hpp"
#include "optimal/cells.hpp"
#include "optimal/greedy.hpp"
#include "optimal/packed.hpp"
#include "optimal/reference.hpp"
#include "optimal/solve.hpp"

using namespace boxwood::optimal;
using boxwood::Monitor;

namespace {

struct Random {
    std::mt19937 engine;
    std::vector<std::uint8_t> cells;
    std::vector<std::int32_t> target;
    std::vector<std::int64_t> weights, costs;
    Problem problem;
    Limits limits;

    explicit Random(unsigned seed) : engine(seed) {}

    int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

    void draw(int most_rows, int most_features) {
        const int n = 1 + below(most_rows), f = 1 + below(most_features), k = 1 + below(4);
        cells.assign(static_cast<std::size_t>(n * f), 0);
        target.assign(static_cast<std::size_t>(n), 0);
        for (auto& cell : cells) cell = below(5) < 2;
        for (std::size_t i = 0; i < target.size(); ++i) {
            target[i] = below(3) ? (cells[i * static_cast<std::size_t>(f)] + below(2)) % k : below(k);
        }
        weights.clear();
        costs.clear();
        const int heaviest = below(2) ? 3 : 100'000;
        for (int i = 0; below(2) && i < 1; ++i) {
            for (int row = 0; row < n; ++row) weights.push_back(1 + below(heaviest));
        }
        if (below(3) == 0) {
            for (int i = 0; i < k * k; ++i) costs.push_back(below(7));
        }
        problem = {cells.data(), static_cast<std::size_t>(n), static_cast<std::size_t>(f),
                   target,       static_cast<std::size_t>(k), weights,
                   costs};
        limits.max_depth = below(6);
        limits.max_leaves = below(3) ? 0 : 1 + below(12);
        limits.min_rows = below(3) ? 1 : 1 + below(5);
        limits.min_weight = below(4) ? 0 : below(3 * heaviest);
        limits.leaf_cost = below(2) ? 0 : below(4);
        limits.weight_unit = below(3) ? 1 : 1 + below(3);
    }
};

std::vector<Machine> machines() {
    std::vector<Machine> all{Machine::kPortable};
    if (avx2_functions()) all.push_back(Machine::kAvx2);
    if (avx512_functions()) all.push_back(Machine::kAvx512);
    return all;
}

std::vector<std::int32_t> numbers_of(const Sketch& tree) {
    std::vector<std::int32_t> out;
    for (const Node& node : tree) out.insert(out.end(), {node.feature, node.left, node.right, node.answer});
    return out;
}

Outcome run(const Random& random, const Tactics& tactics, std::size_t n_threads = 1, double time_limit = -1) {
    Monitor monitor(nullptr);
    Run options;
    options.n_threads = n_threads;
    options.time_limit = time_limit;
    return solve(random.problem, random.limits, options, tactics, monitor);
}

}  // namespace

CASE("the solver finds the optimum of the plain one") {
    Random random(1);
    const auto all = machines();
    for (int i = 0; i < 600; ++i) {
        random.draw(i % 4 ? 30 : 300, 7);
        const ReferenceAnswer plain = solve_plainly(random.problem, random.limits);
        CHECK_EQUAL(evaluate(random.problem, random.limits, plain.tree), plain.objective);
        Tactics tactics;
        tactics.machine = all[static_cast<std::size_t>(i) % all.size()];
        tactics.deepest = i % 3 ? 3 : random.below(4);
        const Outcome found = run(random, tactics, i % 5 ? 1 : 2);
        CHECK(found.status == Status::kOptimal);
        CHECK_EQUAL(found.objective, plain.objective);
        CHECK_EQUAL(found.lower, plain.objective);
        CHECK_EQUAL(evaluate(random.problem, random.limits, found.tree), plain.objective);
    }
}

CASE("a bound from similar rows never exceeds the optimum") {
    Random random(2);
    for (int i = 0; i < 300; ++i) {
        random.draw(20, 5);
        random.limits.max_depth = 2;
        random.limits.max_leaves = 0;
        const Rows rows(random.problem, random.limits);
        if (rows.n_features < 2) continue;
        Monitor monitor(nullptr);
        Control control(monitor, -1);
        const Tactics tactics;
        Table table(1 << 12, false);
        Search search(rows, random.limits, tactics, control, table, 0);
        const Part all = rows.all();
        Part a, b;
        rows.restrict(all, 0, random.below(2) != 0, a);
        rows.restrict(all, 1, random.below(2) != 0, b);
        if (rows.empty(a) || rows.empty(b)) continue;
        const auto value = [&](const Part& part) { return search.solve(part, 2, kFree, kInfinite); };
        const Bounds of_a = value(a), of_b = value(b), of_all = value(all);
        CHECK(of_a.exact() && of_b.exact());
        const Cost unit = random.limits.weight_unit;
        CHECK(bound_from(rows, unit, {a.mask, of_a.lower, {2, kFree}}, b.mask) <= of_b.upper);
        CHECK(bound_from(rows, unit, {all.mask, of_all.lower, {2, kFree}}, b.mask) <= of_b.upper);
        CHECK(search.floor_value(b) <= of_b.upper);
        CHECK(unit * rows.leaf(b) <= unit * rows.worst(b.mask.data(), std::vector<Word>(rows.n_words, 0).data()));
    }
}

CASE("a task covers what it allows") {
    for (int d = 0; d < 5; ++d) {
        for (std::int32_t l = 1; l < 40; ++l) {
            const Task task = reduced(d, l);
            CHECK(task.depth <= d);
            CHECK(covers({d, kFree}, task));
            CHECK(covers(reduced(d, l + 1), task));
            if (task.depth > 0) CHECK(!covers(reduced(task.depth - 1, l), task));
        }
    }
    CHECK(!covers(reduced(1, 2), reduced(2, 3)));
}

CASE("a full bucket forgets the least effort, and never mixes parts up") {
    Table table(0, false);  // one bucket
    std::vector<Key> keys;
    for (int i = 0; i < 6; ++i) {
        keys.push_back(key_of({static_cast<Word>(i + 1)}, 3, kFree));
        table.store(keys.back(), {i, i, i, 0}, i + 1);
    }
    Known known;
    CHECK(!table.find(keys[0], known));
    for (std::size_t i = 2; i < 6; ++i) {
        CHECK(table.find(keys[i], known));
        CHECK_EQUAL(known.lower, static_cast<Cost>(i));
    }
    table.store(keys[5], {3, kInfinite, -1, 0}, 1);  // a weaker bound changes nothing
    CHECK(table.find(keys[5], known));
    CHECK_EQUAL(known.lower, 5);
    CHECK_EQUAL(known.upper, 5);
}

CASE("entries of a small table that threads share are never mixed up") {
    // The locks went by key, not by bucket: in a table of fewer buckets than locks two threads wrote one entry at
    // the same time, and what was found under a key could be half of another one's.
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 10, std::size_t{1} << 14}) {
        Table table(bytes, true);
        std::atomic<int> torn{0};
        const auto work = [&](std::uint64_t seed) {
            for (std::uint64_t i = 0; i < 200'000; ++i) {
                const std::uint64_t number = (i * (2 + seed) + i / 7) % 9;
                const Key key = key_of({number}, 1, 2);
                const auto value = static_cast<Cost>(number);
                Known known;
                if (table.find(key, known)) torn += known.lower != value || known.upper != value;
                table.store(key, {value, value, static_cast<std::int32_t>(number), 0}, 1);
            }
        };
        std::thread other(work, 1);
        work(0);
        other.join();
        CHECK_EQUAL(torn.load(), 0);
    }
}

CASE("a run that is stopped at once has a tree and a bound") {
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        random.draw(60, 8);
        const Outcome stopped = run(random, {}, 1, 0.0);
        const Outcome whole = run(random, {});
        CHECK(stopped.lower <= whole.objective);
        CHECK(stopped.objective >= whole.objective);
        CHECK_EQUAL(evaluate(random.problem, random.limits, stopped.tree), stopped.objective);
    }
}

CASE("a stop is honoured while the rows are made ready, and leaves a tree and a bound") {
    // The story: putting half a million rows into the solver's form took 0.2 s, and a time limit waited for its end.
    Random random(8);
    random.draw(3, 3);
    const std::size_t n = 40'000, f = 70;
    random.cells.assign(n * f, 0);
    random.target.assign(n, 0);
    for (auto& cell : random.cells) cell = random.below(2) != 0;
    for (std::size_t i = 0; i < n; ++i) random.target[i] = random.below(4) ? random.cells[i * f] : random.below(3);
    random.problem = {random.cells.data(), n, f, random.target, 3, {}, {}};
    random.limits = {};
    random.limits.max_depth = 2;
    const auto rows_until = [&](int last) {
        int polls = 0;
        Monitor monitor([&](double) { return ++polls == last; }, Monitor::Pause(0));
        Control control(monitor, -1);
        const Rows rows(random.problem, random.limits, {true, &control});
        return std::pair{polls, rows.unfinished};
    };
    const auto [all, ended] = rows_until(-1);
    CHECK(all >= 5);
    CHECK(!ended);
    const Cost optimum = run(random, {}).objective;
    for (int last = 1; last <= all + 20; ++last) {
        if (last <= all) CHECK(rows_until(last) == (std::pair{last, true}));
        int polls = 0;
        Monitor monitor([&](double) { return ++polls == last; }, Monitor::Pause(0));
        const Outcome found = solve(random.problem, random.limits, {}, {}, monitor);
        CHECK(found.status == (polls < last ? Status::kOptimal : Status::kInterrupted) ||
              found.lower == found.objective);
        CHECK(found.lower <= optimum);
        CHECK(found.objective >= optimum);
        CHECK(last > all || found.tree.size() == 1);
        CHECK_EQUAL(evaluate(random.problem, random.limits, found.tree), found.objective);
    }
}

CASE("thresholds become cells as each row's own comparison has them") {
    Random random(9);
    const std::size_t n = 700;
    std::vector<double> table(n * 3);
    for (double& x : table) {
        x = random.below(9) == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(random.below(20));
    }
    std::vector<boxwood::Column> columns;
    for (std::size_t j = 0; j < 3; ++j)
        columns.push_back({reinterpret_cast<const std::byte*>(&table[j]), 24, 0, false});
    std::vector<ThresholdTest> tests;
    for (std::size_t place = 1; place < 40; ++place) {
        tests.push_back(
            {static_cast<std::size_t>(random.below(3)), place, random.below(40) / 2.0, random.below(2) != 0});
    }
    std::vector<std::uint8_t> cells(n * 40, 7);
    fill_cells(columns, tests, n, cells.data(), 40);
    for (std::size_t row = 0; row < n; ++row) {
        CHECK_EQUAL(int{cells[row * 40]}, 7);  // no threshold has this place
        for (const ThresholdTest& test : tests) {
            const double x = table[row * 3 + test.column];
            const bool expected = std::isnan(x) ? test.missing : x > test.threshold;
            CHECK_EQUAL(int{cells[row * 40 + test.place]}, int{expected});
        }
    }
}

CASE("greedy growth on the cells is greedy growth on the columns") {
    Random random(5);
    for (int i = 0; i < 300; ++i) {
        random.draw(i % 3 ? 30 : 200, 9);
        Monitor monitor(nullptr);
        Control control(monitor, -1);
        const Rows rows(random.problem, random.limits);
        const Sketch quick = grow_greedily(rows, random.limits, control);
        const Sketch plain = grow_plainly(random.problem, random.limits, control);
        CHECK_EQUAL(quick.size(), plain.size());
        for (std::size_t at = 0; at < std::min(quick.size(), plain.size()); ++at) {
            CHECK_EQUAL(quick[at].feature, plain[at].feature);
            CHECK_EQUAL(quick[at].answer, plain[at].answer);
        }
    }
}

CASE("packed rows and columns hold the cells") {
    Random random(6);
    for (int i = 0; i < 60; ++i) {
        random.draw(150, 140);
        const std::size_t n = random.problem.n_rows, f = random.problem.n_features;
        Stop never(nullptr);
        const PackedRows packed(random.problem, never);
        std::vector<std::ptrdiff_t> row_at((n + 127) / 64 * 64, -1);
        for (std::size_t row = 0; row < n; ++row) row_at[row + 5] = static_cast<std::ptrdiff_t>(n - 1 - row);
        const std::vector<Word> columns = packed.columns(row_at, never);
        const std::size_t words = row_at.size() / 64;
        for (std::size_t place = 0; place < row_at.size(); ++place) {
            for (std::size_t j = 0; j < f; ++j) {
                const bool bit = columns[j * words + place / 64] >> place % 64 & 1;
                const auto row = static_cast<std::size_t>(row_at[place]);
                CHECK_EQUAL(bit, row_at[place] >= 0 && random.cells[row * f + j] != 0);
                if (row_at[place] >= 0) CHECK_EQUAL(bit, (packed.row(row)[j / 64] >> j % 64 & 1) != 0);
            }
        }
    }
}

CASE("a limit that the rows do not fit into gives the greedy tree") {
    Random random(7);
    for (int i = 0; i < 100; ++i) {
        random.draw(60, 8);
        Monitor monitor(nullptr);
        Run options;
        options.memory_limit = 1;
        const Outcome found = solve(random.problem, random.limits, options, {}, monitor);
        CHECK(found.status == Status::kMemoryLimit || found.lower == found.objective);
        CHECK(found.lower <= run(random, {}).objective);
        CHECK_EQUAL(evaluate(random.problem, random.limits, found.tree), found.objective);
    }
}

CASE("appended features: every step is a run from scratch") {
    Random random(8);
    for (int i = 0; i < 150; ++i) {
        random.draw(i % 3 ? 40 : 300, 12);
        const std::vector<std::uint8_t> cells = random.cells;
        const std::size_t n = random.problem.n_rows, all = random.problem.n_features;
        std::shared_ptr<const Kept> past;
        for (std::size_t p = 1; p <= all; p += static_cast<std::size_t>(1 + random.below(5))) {
            std::vector<std::uint8_t> first;
            for (std::size_t row = 0; row < n; ++row) {
                first.insert(first.end(), cells.begin() + static_cast<std::ptrdiff_t>(row * all),
                             cells.begin() + static_cast<std::ptrdiff_t>(row * all + p));
            }
            random.problem.cells = first.data();
            random.problem.n_features = p;
            Monitor monitor(nullptr);
            Run options;
            options.keep = true;
            options.past = past;
            options.n_threads = i % 4 ? 1 : 2;
            const Outcome found = solve(random.problem, random.limits, options, {}, monitor);
            const ReferenceAnswer plain = solve_plainly(random.problem, random.limits);
            CHECK(found.status == Status::kOptimal);
            CHECK_EQUAL(found.objective, plain.objective);
            CHECK_EQUAL(found.lower, plain.objective);
            past = found.kept;
        }
    }
}

CASE("the splits of a node may be tried in any order") {
    // Any order of rounds is a schedule: the answer of a node must be the same for all of them, ties included.
    Random random(9);
    int n_exact = 0;
    for (int i = 0; i < 1500; ++i) {
        random.draw(i % 3 ? 20 : 60, 7);
        const Rows rows(random.problem, random.limits);
        const auto leaves = static_cast<std::int32_t>(random.limits.max_leaves);
        const Task task = reduced(random.limits.max_depth, leaves > 0 ? leaves : kFree);
        if (task.depth == 0) continue;
        Tactics tactics;
        tactics.deepest = random.below(3);
        Monitor monitor(nullptr);
        Control control(monitor, -1);
        const Part all = rows.all();
        Cost limit = kInfinite;
        Bounds first;
        for (int order = 0; order < 4; ++order) {
            Table table(1 << 14, false);
            std::vector<std::unique_ptr<Search>> team;
            for (std::size_t member = 0; member < 3; ++member) {
                team.push_back(std::make_unique<Search>(rows, random.limits, tactics, control, table, member));
            }
            const auto node = team[0]->open(all, task, limit, 0);
            std::vector<std::size_t> places(node->order.size());
            for (std::size_t place = 0; place < places.size(); ++place) places[place] = place;
            if (order == 1) std::reverse(places.begin(), places.end());
            if (order > 1) std::shuffle(places.begin(), places.end(), random.engine);
            for (const std::size_t place : places) {
                team[static_cast<std::size_t>(random.below(3))]->try_split(*node, place);
            }
            const Bounds found = team[0]->close(*node);
            if (order == 0) {
                first = found;
                limit = random.below(2) ? found.upper + 1 : kInfinite;
                n_exact += found.exact() && found.feature >= 0;
            }
            CHECK_EQUAL(found.exact(), first.exact());
            CHECK_EQUAL(found.upper, first.upper);
            CHECK_EQUAL(found.feature, first.feature);
            CHECK_EQUAL(found.left_leaves, first.left_leaves);
        }
    }
    CHECK(n_exact > 300);
}

CASE("a split that is overtaken while it is tried is judged by what there is when it ends") {
    // Two rounds overlap: the poll, which is asked within the one, does the whole of the other. Both reach the
    // optimum, and what the outer one knew when it began is old when it ends.
    Random random(12);
    int n_overtaken = 0;
    for (int i = 0; i < 4000 && n_overtaken < 16; ++i) {
        random.draw(60, 6);
        random.limits.max_depth = 3;
        random.limits.max_leaves = 0;
        const Rows rows(random.problem, random.limits);
        const Part all = rows.all();
        const Task task = reduced(3, kFree);
        Tactics tactics;
        tactics.deepest = 0;
        Monitor silent(nullptr);
        Control quiet(silent, -1);
        Table table(1 << 14, false);
        Search plain(rows, random.limits, tactics, quiet, table, 0);
        const auto whole = plain.open(all, task, kInfinite, 0);
        std::vector<std::size_t> optimal;
        const auto n_places = whole->order.size();
        for (std::size_t place = 0; place < n_places; ++place) plain.try_split(*whole, place);
        const Bounds answer = plain.close(*whole);
        for (std::size_t place = 0; place < n_places && answer.feature >= 0; ++place) {
            const auto node = plain.open(all, task, answer.upper + 1, 0);
            if (plain.try_split(*node, place)) optimal.push_back(place);
        }
        if (optimal.size() < 2) continue;
        CHECK_EQUAL(whole->order[optimal[0]], answer.feature);
        const bool later_first = i % 2 != 0;
        const std::size_t outer = optimal[later_first], inner = optimal[!later_first];
        Table empty(1 << 14, false);
        std::vector<std::unique_ptr<Search>> team;
        std::unique_ptr<Search::Open> node;
        bool overtaken = false;
        Monitor monitor([&](double) {
            if (!overtaken) team[1]->try_split(*node, inner);
            overtaken = true;
            return false;
        });
        Control control(monitor, -1);
        for (std::size_t member = 0; member < 2; ++member) {
            team.push_back(std::make_unique<Search>(rows, random.limits, tactics, control, empty, member));
        }
        node = team[0]->open(all, task, answer.upper + 1, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(51));  // the poll is due
        team[0]->try_split(*node, outer);
        if (!overtaken) continue;
        ++n_overtaken;
        CHECK_EQUAL(team[0]->close(*node).feature, answer.feature);
    }
    CHECK_EQUAL(n_overtaken, 16);
}

CASE("the same tree for any number of threads") {
    // Kernels of little depth, so that loops lie within loops, and small tables with many trees that tie.
    Random random(10);
    for (int i = 0; i < 400; ++i) {
        random.draw(i % 3 ? 30 : 90, 8);
        Tactics tactics;
        tactics.deepest = random.below(3);
        tactics.probes = random.below(2) != 0;
        tactics.table_bytes = random.below(3) ? std::size_t{1} << 20 : 0;
        const Outcome alone = run(random, tactics);
        const std::size_t most = i % 20 ? 2 : 4;
        for (std::size_t n_threads = 2; n_threads <= most; ++n_threads) {
            const Outcome found = run(random, tactics, n_threads);
            CHECK(found.status == Status::kOptimal);
            CHECK_EQUAL(found.objective, alone.objective);
            CHECK_EQUAL(numbers_of(found.tree), numbers_of(alone.tree));
        }
    }
}

CASE("memory that is too small for the kernels of all threads costs threads, not depth") {
    // The depth of the kernels decides between trees that tie. It was once chosen so that the kernels of all
    // threads fitted, and two threads gave another tree than one.
    Random random(11);
    int n_middle = 0;
    for (int i = 0; i < 30; ++i) {
        random.draw(100, 24);
        random.limits.max_depth = 3;
        for (std::size_t limit = 10'000; limit < 3'000'000; limit += limit / 3) {
            std::vector<Outcome> found;
            for (const std::size_t n_threads : {1U, 2U, 6U}) {
                Monitor monitor(nullptr);
                Run options;
                options.n_threads = n_threads;
                options.memory_limit = limit;
                found.push_back(solve(random.problem, random.limits, options, {}, monitor));
                CHECK_EQUAL(found.back().deepest, found[0].deepest);
                if (found[0].status == Status::kOptimal) {
                    CHECK_EQUAL(numbers_of(found.back().tree), numbers_of(found[0].tree));
                }
            }
            n_middle += found[0].deepest == 1 || found[0].deepest == 2;
        }
    }
    CHECK(n_middle > 0);
}

CASE("a problem that makes no sense is refused") {
    Random random(4);
    random.draw(5, 3);
    random.cells[0] = 2;
    CHECK_THROWS(check(random.problem, random.limits), std::invalid_argument);
    random.cells[0] = 1;
    random.limits.leaf_cost = -1;
    CHECK_THROWS(check(random.problem, random.limits), std::invalid_argument);
}
