// Trees of a target of numbers that must not differ: threads, tables, samples, short cuts.
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "numbers.hpp"

using namespace boxwood;
using namespace numbers;

CASE("the same tree on any number of threads, with and without tables and small samples") {
    std::uint64_t seed = 500;
    for (const Criterion criterion : kCriteria) {
        for (const bool weighted : {false, true}) {
            const Numbers data = make(3000, 0.1, weighted, 5, weighted, ++seed);
            std::vector<Options> settings(5, with(criterion));
            settings[1].max_features = 2;
            settings[1].seed = 9;
            settings[2].max_leaf_nodes = 30;
            settings[3].random_cuts = true;
            settings[3].missing = MissingMode::kBranch;
            settings[4].monotonic = {0, 1, -1, 0, 0};
            for (const Options& options : settings) {
                const GrownTree tree = grown(data, options);
                CHECK(tree.kind.size() > 20);
                CHECK(same(tree, grown(data, options, 2)));
                CHECK(same(tree, grown(data, options, 3)));
                Options plain = options;
                plain.small_samples = false;
                CHECK(same(tree, grown(data, plain)));
                plain.histograms = false;
                CHECK(same(tree, grown(data, plain, 2)));
            }
        }
    }
}

CASE("a table beyond 65,534 rows is grown with wide numbers, then narrow ones, all alike") {
    for (const Criterion criterion : {Criterion::kSquaredError, Criterion::kPoisson}) {
        const Numbers data = make(70'000, 0.05, false, 0, false, 99);
        Options options = with(criterion);
        options.min_samples_leaf = 15;
        const GrownTree tree = grown(data, options);
        CHECK(tree.kind.size() > 500);
        CHECK(same(tree, grown(data, options, 2)));
        options.small_samples = false;
        CHECK(same(tree, grown(data, options)));
    }
}

// Columns of numbers only: all different, with ties, of some values, of two values, constant but for one row.
struct Plain {
    std::vector<double> cells, y;
    std::vector<Column> columns;
    Plain(std::size_t n_rows, bool counts, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        std::uniform_int_distribution<int> some(0, 5), many(0, static_cast<int>(n_rows / 2));
        for (std::size_t row = 0; row < n_rows; ++row) {
            const double x = normal(random), group = some(random);
            for (const double cell :
                 {x, static_cast<double>(many(random)), group, static_cast<double>(some(random) > 2),
                  static_cast<double>(row == n_rows / 3), normal(random)}) {
                cells.push_back(cell);
            }
            const double signal = std::sin(2 * x) + 0.3 * group + 0.4 * normal(random);
            y.push_back(counts ? std::round(signal) : signal);
        }
        for (std::size_t j = 0; j < 6; ++j) {
            columns.push_back({reinterpret_cast<const std::byte*>(cells.data() + j), 48, 0, false});
        }
    }
    GrownTree grown(Options options, std::size_t n_threads = 1) const {
        options.n_threads = n_threads;
        Monitor monitor(nullptr);
        return grow_regression({columns, y.size(), y, {}}, options, monitor);
    }
};

// Subtrees of at most 64 rows, columns ruled out by the leading bits of the responses, samples taken out of samples:
// all of them are short cuts to the tree of the engine alone.
CASE("short cuts for many small nodes, and for large ones, lead to the same tree") {
    std::uint64_t seed = 40;
    for (const std::size_t n_rows : {2, 3, 5, 40, 64, 65, 300, 12'000, 80'000}) {
        for (const bool counts : {false, true}) {
            const Plain data(n_rows, counts, ++seed);
            std::vector<Options> settings(4, with(Criterion::kSquaredError));
            settings[1].min_samples_leaf = 4;
            settings[2].min_impurity_decrease = 1e-4;
            settings[3].max_depth = 7;
            settings[3].min_samples_split = 6;
            for (const Options& options : settings) {
                const GrownTree tree = data.grown(options);
                CHECK(n_rows < 40 || tree.kind.size() > 3);
                if (n_rows > 300) CHECK(same(tree, data.grown(options, 2)));
                Options plain = options;
                plain.small_samples = false;
                CHECK(same(tree, data.grown(plain)));
            }
        }
    }
}
