// One growth from a sample to a tree, whatever the target.
//
// Large nodes are grown one after the other, with threads over features. Nodes
// that have become small are set apart; each is then a Sample of its own with
// 16-bit numbers, and the subtrees are handed to the threads one by one. Which
// thread grows which subtree makes no difference to the tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "grow/engine.hpp"
#include "grow/output.hpp"
#include "grow/place.hpp"
#include "grow/sample.hpp"
#include "threads/team.hpp"

namespace boxwood {

inline constexpr std::size_t kSmallSample = 65'534;

// How many nodes a subtree may have.
inline std::size_t most_nodes(const Options& options, std::int64_t depth, std::size_t n_rows) {
    const std::int64_t left = options.max_depth - depth;
    const std::size_t most = 2 * n_rows / static_cast<std::size_t>(std::max<std::int64_t>(1, options.min_samples_leaf));
    return left < 32 ? std::min(most, std::size_t{2} << left) : most;
}

// The features' lists in a sample.
inline std::vector<std::size_t> slots_of(const std::vector<RankedColumn>& columns,
                                         std::span<const std::size_t> features) {
    std::vector<std::size_t> slots;
    for (const std::size_t feature : features) {
        if (!columns[feature].coded) slots.push_back(columns[feature].slot);
    }
    return slots;
}

// The subtree of a node, on a sample of its own; the node's record is the first one. `number`: see Sample. Where
// searches read by row number, the lists of a node of some thousand rows are spread over too much memory, and are taken
// out again (Searcher::kApart).
template <class Searcher, class Parent>
std::unique_ptr<Output> grow_apart(const Growth& growth, const Engine<Parent>& parent,
                                   const typename Engine<Parent>::Node& node, std::span<const std::size_t> features,
                                   Buffer<std::uint16_t>& number, std::size_t member) {
    using Small = Sample<std::uint16_t>;
    Team alone(1);
    Engine<Searcher> engine(
        growth, Small(parent.sample(), node.begin, node.end, slots_of(*parent.sample().columns, features), number),
        {features.begin(), features.end()}, alone, member);
    const std::size_t n_rows = engine.sample().n_rows;
    if (Searcher::kFull) engine.output().reserve(most_nodes(growth.options, node.depth, n_rows));
    const bool again = n_rows > 4 * Searcher::kApart;
    Buffer<std::uint16_t> inner_number(again ? n_rows : 0);
    engine.grow_depth_first(engine.root(node.depth, node.key, node.bounds), [&](const auto& below) {
        if (!again || below.rows() > Searcher::kApart) return false;
        const auto active = engine.active(below);
        Engine<Searcher> inner(
            growth,
            Small(engine.sample(), below.begin, below.end, slots_of(*engine.sample().columns, active), inner_number),
            {active.begin(), active.end()}, alone, member, &engine.output());
        inner.grow_depth_first(inner.root(below.record, below.depth, below.key, below.bounds),
                               [](const auto&) { return false; });
        return true;
    });
    return engine.take_output();
}

template <class Searcher>
std::unique_ptr<Output> run_depth_first(const Growth& growth, Engine<Searcher>& engine, Team& team) {
    using Node = typename Engine<Searcher>::Node;
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
        tasks.back().node.memory = {};
        return true;
    });
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) { return a.node.rows() > b.node.rows(); });
    Buffer<std::uint16_t> number(tasks.empty() ? 0 : n_rows);
    std::vector<std::unique_ptr<Output>> outputs(tasks.size());
    team.each(tasks.size(), [&](std::size_t i, std::size_t member) {
        const Task& task = tasks[i];
        outputs[i] = grow_apart<typename Searcher::template With<std::uint16_t>>(growth, engine, task.node,
                                                                                 task.features, number, member);
    });
    auto output = engine.take_output();
    for (std::size_t i = 0; i < tasks.size(); ++i) output->graft(tasks[i].node.record, std::move(outputs[i]));
    return output;
}

template <class Searcher>
GrownTree run(const Growth& growth, Sample<typename Searcher::Index>&& sample, Team& team) {
    std::vector<std::size_t> features(growth.columns.size());
    std::iota(features.begin(), features.end(), std::size_t{0});
    std::unique_ptr<Output> output;
    {  // the sample goes before the tree is written: each may be larger than the table
        Engine<Searcher> engine(growth, std::move(sample), std::move(features), team, 0);
        if (growth.options.max_leaf_nodes > 0) {
            engine.grow_best_first(engine.root(0, mix(growth.options.seed)), growth.options.max_leaf_nodes);
            output = engine.take_output();
        } else {
            output = run_depth_first(growth, engine, team);
        }
        engine.release();
    }
    return breadth_first(*output, Searcher::kRegression, growth.options.screening.kind != Select::kScore);
}

}  // namespace boxwood
