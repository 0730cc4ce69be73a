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
        Engine<typename Searcher::template With<std::uint16_t>> subtree(
            growth, Sample<std::uint16_t>(engine.sample(), task.node.begin, task.node.end, slots, number),
            task.features, alone, member);
        auto root = subtree.root(task.node.depth, task.node.key, task.node.bounds);
        subtree.grow_depth_first(std::move(root), [](const auto&) { return false; });
        outputs[i] = subtree.take_output();
    });
    auto output = engine.take_output();
    for (std::size_t i = 0; i < tasks.size(); ++i) output->records[tasks[i].node.record].graft = std::move(outputs[i]);
    return output;
}

template <class Searcher>
GrownTree run(const Growth& growth, Sample<typename Searcher::Index>&& sample, Team& team) {
    std::vector<std::size_t> features(growth.columns.size());
    std::iota(features.begin(), features.end(), std::size_t{0});
    Engine<Searcher> engine(growth, std::move(sample), std::move(features), team, 0);
    if (growth.options.max_leaf_nodes > 0) {
        engine.grow_best_first(engine.root(0, mix(growth.options.seed)), growth.options.max_leaf_nodes);
        return breadth_first(*engine.take_output());
    }
    return breadth_first(*run_depth_first(growth, engine, team));
}

}  // namespace boxwood
