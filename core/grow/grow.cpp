#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/ranks.hpp"
#include "grow/engine.hpp"

namespace boxwood {
namespace {

constexpr std::size_t kSmallSample = 65'534;

template <class Index, bool kUnit>
std::unique_ptr<Output> grow_depth_first(const Growth& growth, Engine<Index, kUnit>& engine, Team& team) {
    using Node = typename Engine<Index, kUnit>::Node;
    const std::size_t n_rows = engine.sample().n_rows;
    // Half of the numbers that 16 bits hold leave room for the tags of two classes.
    std::size_t small = n_rows > kSmallSample ? kSmallSample / 2 : 0;
    if (team.size() > 1) small = std::min(kSmallSample / 2, std::max<std::size_t>(1024, n_rows / (8 * team.size())));
    if (!growth.options.small_samples) small = 0;
    struct Task {
        Node node;
        std::vector<std::size_t> features;
    };
    std::vector<Task> tasks;
    engine.grow_depth_first(engine.root(0, mix(growth.options.seed)), [&](const Node& node) {
        if (node.rows() > small) return false;
        const auto active = engine.active(node);
        tasks.push_back({node, {active.begin(), active.end()}});
        tasks.back().node.histogram.reset();
        return true;
    });
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) { return a.node.rows() > b.node.rows(); });
    std::vector<std::uint16_t> number(tasks.empty() ? 0 : n_rows);
    std::vector<std::unique_ptr<Output>> outputs(tasks.size());
    team.each(tasks.size(), [&](std::size_t i, std::size_t member) {
        const Task& task = tasks[i];
        std::vector<std::size_t> slots;
        for (const std::size_t feature : task.features) {
            const RankedColumn& column = (*engine.sample().columns)[feature];
            if (!column.coded) slots.push_back(column.slot);
        }
        Team alone(1);
        Engine<std::uint16_t, kUnit> subtree(
            growth, Sample<std::uint16_t>(engine.sample(), task.node.begin, task.node.end, slots, number),
            task.features, alone, member);
        auto root = subtree.root(task.node.depth, task.node.key);
        subtree.grow_depth_first(std::move(root), [](const auto&) { return false; });
        outputs[i] = subtree.take_output();
    });
    auto output = engine.take_output();
    for (std::size_t i = 0; i < tasks.size(); ++i) output->records[tasks[i].node.record].graft = std::move(outputs[i]);
    return output;
}

template <class Index, bool kUnit>
GrownTree grow_on(const Problem& problem, const Options& options, Monitor& monitor) {
    Team team(std::max<std::size_t>(1, options.n_threads));
    const LogTable logs = kUnit && uses_entropy(options.criterion) ? LogTable(problem.n_rows, team) : LogTable();
    const double total = kUnit ? static_cast<double>(problem.n_rows)
                               : std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
    const Growth growth{options, problem.columns, problem.n_classes, total, logs, monitor};
    monitor.begin(static_cast<std::int64_t>(problem.n_rows));
    std::vector<std::size_t> features(problem.columns.size());
    std::iota(features.begin(), features.end(), std::size_t{0});
    Engine<Index, kUnit> engine(growth,
                                Sample<Index>(rank_columns<Index>(problem.columns, problem.n_rows, team, monitor),
                                              problem.target, problem.n_classes, problem.weights, team),
                                std::move(features), team, 0);
    if (options.max_leaf_nodes > 0) {
        engine.grow_best_first(engine.root(0, mix(options.seed)), options.max_leaf_nodes);
        return breadth_first(*engine.take_output());
    }
    return breadth_first(*grow_depth_first(growth, engine, team));
}

}  // namespace

void check(const Problem& problem) {
    if (problem.n_rows == 0) throw std::invalid_argument("no rows");
    if (problem.n_rows >= kNoRank<std::uint32_t>) throw std::invalid_argument("more than 4,294,967,294 rows");
    if (problem.columns.empty()) throw std::invalid_argument("no columns");
    if (problem.n_classes == 0 || problem.n_classes > 65'535) {
        throw std::invalid_argument("the number of classes must be between 1 and 65,535");
    }
    if (problem.target.size() != problem.n_rows) throw std::invalid_argument("target and columns differ in length");
    for (const std::int32_t label : problem.target) {
        if (label < 0 || static_cast<std::size_t>(label) >= problem.n_classes) {
            throw std::invalid_argument("a class is out of range");
        }
    }
    if (!problem.weights.empty() && problem.weights.size() != problem.n_rows) {
        throw std::invalid_argument("weights and columns differ in length");
    }
    for (const double weight : problem.weights) {
        if (!(weight > 0) || std::isinf(weight)) throw std::invalid_argument("weights must be positive and finite");
    }
    for (const Column& column : problem.columns) {
        if (!column.categorical) continue;
        for (std::size_t row = 0; row < problem.n_rows; ++row) {
            if (column.code(row) >= column.n_categories) throw std::invalid_argument("a category is out of range");
        }
    }
}

GrownTree grow(const Problem& problem, const Options& options, Monitor& monitor) {
    check(problem);
    const bool unit = std::all_of(problem.weights.begin(), problem.weights.end(), [](double w) { return w == 1.0; });
    const bool small = problem.n_rows <= kSmallSample && options.small_samples;
    Problem plain = problem;
    if (unit) {
        plain.weights = {};
        return small ? grow_on<std::uint16_t, true>(plain, options, monitor)
                     : grow_on<std::uint32_t, true>(plain, options, monitor);
    }
    return small ? grow_on<std::uint16_t, false>(problem, options, monitor)
                 : grow_on<std::uint32_t, false>(problem, options, monitor);
}

}  // namespace boxwood
