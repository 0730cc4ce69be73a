#include "grow/output.hpp"

#include <algorithm>
#include <utility>

#include "criteria/regression.hpp"
#include "simd.hpp"

namespace boxwood {

namespace {

constexpr std::size_t kAhead = 16;  // nodes whose records are on the way from memory

std::size_t count_nodes(const Output& output) {
    std::size_t nodes = output.records.size();
    for (const Aside& aside : output.asides) {
        if (aside.graft) nodes += count_nodes(*aside.graft) - 1;
    }
    return nodes;
}

}  // namespace

GrownTree breadth_first(const Output& root, bool is_regression, bool has_p_values) {
    const std::size_t n_nodes = count_nodes(root);
    GrownTree tree;
    tree.kind.resize(n_nodes);
    for (auto* column :
         {&tree.feature, &tree.first_child, &tree.n_children, &tree.missing_branch, &tree.unknown_branch}) {
        column->resize(n_nodes);
    }
    for (auto* column : {&tree.threshold, &tree.weight, &tree.impurity, &tree.score}) column->resize(n_nodes);
    tree.n_rows.resize(n_nodes);
    tree.category_offset.resize(n_nodes + 1);
    tree.category_offset[0] = 0;
    tree.sums.resize(n_nodes * (is_regression ? 3 : root.n_sums));
    tree.answer.resize(is_regression ? n_nodes : 0);
    tree.p_value.resize(has_p_values ? n_nodes : 0);
    tree.n_cuts = root.n_cuts;
    tree.n_evaluated = root.n_evaluated;
    // The nodes that are still to be written wait where their numbers of rows will stand: output and record.
    std::vector<const Output*> outputs{&root};
    const auto wait = [&](std::size_t at, std::size_t output, std::size_t record) {
        tree.n_rows[at] = static_cast<std::int64_t>(output << 32 | record);
    };
    const auto waiting = [&](std::size_t at) {
        const auto place = static_cast<std::uint64_t>(tree.n_rows[at]);
        return std::pair<std::size_t, std::size_t>(place >> 32, place & 0xFFFFFFFF);
    };
    wait(0, 0, 0);
    std::size_t queued = 1;
    for (std::size_t next = 0; next < queued; ++next) {
        if (next + kAhead < queued) {
            const auto [source, number] = waiting(next + kAhead);
            prefetch(&outputs[source]->records[number]);
            prefetch(outputs[source]->sums_of(number).data());
        }
        auto [source, number] = waiting(next);
        const Output* output = outputs[source];
        const Aside* aside = output->aside_of(output->records[number]);
        while (aside != nullptr && aside->graft) {
            output = aside->graft.get();
            source = outputs.size();
            number = 0;
            outputs.push_back(output);
            aside = output->aside_of(output->records[0]);
            tree.n_cuts += output->n_cuts;
            tree.n_evaluated += output->n_evaluated;
        }
        const Record* record = &output->records[number];
        tree.kind[next] = static_cast<std::int8_t>(record->kind);
        tree.feature[next] = record->feature;
        tree.threshold[next] = record->threshold;
        tree.n_children[next] = static_cast<std::int32_t>(record->n_children);
        tree.first_child[next] = record->n_children > 0 ? static_cast<std::int32_t>(queued) : -1;
        tree.missing_branch[next] = record->missing_branch;
        tree.unknown_branch[next] = record->unknown_branch;
        tree.n_rows[next] = record->n_rows;
        tree.weight[next] = record->weight;
        tree.impurity[next] = record->impurity;
        tree.score[next] = record->score;
        const double* sums = output->sums_of(number).data();
        if (is_regression) {
            double* to = tree.sums.data() + next * 3;
            to[0] = record->weight;
            to[1] = sums[kSum];
            to[2] = sums[kSquares];
            tree.answer[next] = sums[kAnswer];
        } else {
            std::copy_n(sums, root.n_sums, tree.sums.data() + next * root.n_sums);
        }
        for (std::size_t i = aside ? aside->category_begin : 0; aside != nullptr && i < aside->category_end; ++i) {
            tree.category_code.push_back(output->category_code[i]);
            tree.category_branch.push_back(output->category_branch[i]);
        }
        if (has_p_values) {
            tree.p_value[next] = aside != nullptr ? aside->p_value : std::numeric_limits<double>::quiet_NaN();
        }
        tree.category_offset[next + 1] = static_cast<std::int64_t>(tree.category_code.size());
        for (std::uint32_t branch = 0; branch < record->n_children; ++branch) {
            wait(queued++, source, record->first_child + branch);
        }
    }
    return tree;
}

}  // namespace boxwood
