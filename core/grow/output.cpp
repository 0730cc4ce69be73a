#include "grow/output.hpp"

#include <algorithm>

namespace boxwood {

namespace {

std::size_t count_nodes(const Output& output) {
    std::size_t nodes = output.records.size();
    for (const Aside& aside : output.asides) {
        if (aside.graft) nodes += count_nodes(*aside.graft) - 1;
    }
    return nodes;
}

}  // namespace

GrownTree breadth_first(const Output& root, Kept kept) {
    struct Place {
        const Output* output;
        std::uint32_t record;
    };
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
    tree.sums.resize(n_nodes * kept.sums);
    tree.answer.resize(kept.answer ? n_nodes : 0);
    tree.n_cuts = root.n_cuts;
    tree.n_evaluated = root.n_evaluated;
    Stream<Place> queue(n_nodes);
    queue[0] = {&root, 0};
    std::size_t queued = 1;
    for (std::size_t next = 0; next < queued; ++next) {
        Place place = queue[next];
        const Record* record = &place.output->records[place.record];
        const Aside* aside = place.output->aside_of(*record);
        while (aside != nullptr && aside->graft) {
            place = {aside->graft.get(), 0};
            record = place.output->records.data();
            aside = place.output->aside_of(*record);
            tree.n_cuts += place.output->n_cuts;
            tree.n_evaluated += place.output->n_evaluated;
        }
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
        const double* sums = place.output->sums_of(place.record).data();
        std::copy_n(sums, kept.sums, tree.sums.data() + next * kept.sums);
        if (kept.answer) tree.answer[next] = sums[kept.sums];
        for (std::size_t i = aside ? aside->category_begin : 0; aside != nullptr && i < aside->category_end; ++i) {
            tree.category_code.push_back(place.output->category_code[i]);
            tree.category_branch.push_back(place.output->category_branch[i]);
        }
        tree.category_offset[next + 1] = static_cast<std::int64_t>(tree.category_code.size());
        for (std::uint32_t branch = 0; branch < record->n_children; ++branch) {
            queue[queued++] = {place.output, record->first_child + branch};
        }
    }
    return tree;
}

}  // namespace boxwood
