#include <stdexcept>

#include "criteria/criterion.hpp"
#include "grown.hpp"

using namespace boxwood;
using tables::check_counts;
using tables::grown;
using tables::same;

namespace {

std::vector<Options> settings() {
    std::vector<Options> all;
    for (const Criterion criterion :
         {Criterion::kGini, Criterion::kEntropy, Criterion::kGainRatio, Criterion::kError, Criterion::kAmbiguity,
          Criterion::kSine, Criterion::kTsallis, Criterion::kTwoing, Criterion::kHellinger}) {
        Options plain;
        plain.measure = {criterion, 1.5};
        all.push_back(plain);
        Options leafy = plain;
        leafy.min_samples_leaf = 5;
        leafy.min_weight_leaf = 4.5;
        leafy.missing = MissingMode::kBranch;
        leafy.unknown = UnknownRule::kMajority;
        all.push_back(leafy);
        Options drawn = plain;
        drawn.max_features = 2;
        drawn.seed = 7;
        drawn.max_depth = 9;
        all.push_back(drawn);
        Options best = plain;
        best.max_leaf_nodes = 40;
        best.unknown = UnknownRule::kStop;
        all.push_back(best);
    }
    return all;
}

}  // namespace

CASE("grown trees hold the rows that routing sends them, on any number of threads") {
    std::uint64_t seed = 0;
    for (const std::size_t n_rows : {1, 2, 50, 1000}) {
        for (const std::size_t n_classes : {2, 4}) {
            for (const double missing : {0.0, 0.15}) {
                const tables::Table table = tables::make(n_rows, n_classes, missing, ++seed);
                for (const Options& options : settings()) {
                    for (const bool weighted : {false, true}) {
                        const GrownTree tree = grown(table.problem(weighted), options);
                        check_counts(tree, table, weighted);
                        CHECK(same(tree, grown(table.problem(weighted), options, 3)));
                    }
                }
            }
        }
    }
}

CASE("more than 256 classes") {
    tables::Table table = tables::make(900, 2, 0.1, 5);
    table.n_classes = 300;
    for (std::size_t row = 0; row < table.n_rows; ++row) table.target[row] = static_cast<std::int32_t>(row % 300);
    for (const Options& options : settings()) check_counts(grown(table.problem(false), options), table, false);
}

CASE("a drawn cut lies between the lowest and the highest value, and is the same on any number of threads") {
    const tables::Table table = tables::make(3000, 3, 0.1, 5);
    Options options;
    options.random_cuts = true;
    options.seed = 3;
    const GrownTree one = grown(table.problem(false), options);
    check_counts(one, table, false);
    options.n_threads = 3;
    CHECK(same(grown(table.problem(false), options), one));
    options.small_samples = options.histograms = false;
    CHECK(same(grown(table.problem(false), options), one));
    options.seed = 4;
    CHECK(!same(grown(table.problem(false), options), one));
}

CASE("a stop leaves a valid tree") {
    const tables::Table table = tables::make(60'000, 3, 0.05, 3);
    for (const std::int64_t max_leaf_nodes : {-1, 5000}) {
        Options options;
        options.max_leaf_nodes = max_leaf_nodes;
        options.n_threads = 2;
        Monitor monitor(nullptr);
        monitor.stop();
        const GrownTree tree = grow(table.problem(false), options, monitor);
        CHECK_EQUAL(tree.kind.size(), std::size_t{1});
        check_counts(tree, table, false);
    }
}

CASE("what is not a problem is refused") {
    const tables::Table table = tables::make(20, 2, 0.0, 1);
    const auto refused = [&](auto damage) {
        tables::Table copy = tables::make(20, 2, 0.0, 1);
        Problem problem = copy.problem(true);
        damage(problem, copy);
        CHECK_THROWS(grown(problem, {}), std::invalid_argument);
    };
    refused([](Problem& p, tables::Table&) { p.n_rows = 0; });
    refused([](Problem& p, tables::Table&) { p.columns = {}; });
    refused([](Problem& p, tables::Table&) { p.n_classes = 0; });
    refused([](Problem& p, tables::Table&) { p.n_classes = 70'000; });
    refused([](Problem& p, tables::Table&) { p.target = p.target.subspan(1); });
    refused([](Problem& p, tables::Table&) { p.weights = p.weights.subspan(1); });
    refused([](Problem&, tables::Table& t) { t.target[3] = 2; });
    refused([](Problem&, tables::Table& t) { t.target[3] = -1; });
    refused([](Problem&, tables::Table& t) { t.weights[3] = 0; });
    refused([](Problem&, tables::Table& t) { t.weights[3] = NAN; });
    refused([](Problem&, tables::Table& t) { t.weights[3] = INFINITY; });
    refused([](Problem&, tables::Table& t) { t.codes[0] = 7; });
}
