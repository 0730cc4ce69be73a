#include "grow/output.hpp"

namespace boxwood {

namespace {

std::size_t count_nodes(const Output& output) {
    std::size_t nodes = output.records.size();
    for (const Record& record : output.records) {
        if (record.graft) nodes += count_nodes(*record.graft) - 1;
    }
    return nodes;
}

}  // namespace

GrownTree breadth_first(const Output& root, std::size_t kept) {
    struct Place {
        const Output* output;
        std::size_t record;
    };
    GrownTree tree;
    std::vector<Place> queue{{&root, 0}};
    const std::size_t n_nodes = count_nodes(root);
    queue.reserve(n_nodes);
    tree.kind.reserve(n_nodes);
    for (auto* column :
         {&tree.feature, &tree.first_child, &tree.n_children, &tree.missing_branch, &tree.unknown_branch})
        column->reserve(n_nodes);
    for (auto* column : {&tree.threshold, &tree.weight, &tree.impurity, &tree.score}) column->reserve(n_nodes);
    tree.n_rows.reserve(n_nodes);
    tree.category_offset.reserve(n_nodes + 1);
    tree.sums.reserve(n_nodes * kept);
    tree.n_cuts = root.n_cuts;
    tree.n_evaluated = root.n_evaluated;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        while (queue[next].output->records[queue[next].record].graft) {
            queue[next] = {queue[next].output->records[queue[next].record].graft.get(), 0};
            tree.n_cuts += queue[next].output->n_cuts;
            tree.n_evaluated += queue[next].output->n_evaluated;
        }
        const auto [output, at] = queue[next];
        const Record& record = output->records[at];
        tree.kind.push_back(static_cast<std::int8_t>(record.kind));
        tree.feature.push_back(record.feature);
        tree.threshold.push_back(record.threshold);
        tree.n_children.push_back(static_cast<std::int32_t>(record.n_children));
        tree.first_child.push_back(record.n_children > 0 ? static_cast<std::int32_t>(queue.size()) : -1);
        tree.missing_branch.push_back(record.missing_branch);
        tree.unknown_branch.push_back(record.unknown_branch);
        tree.n_rows.push_back(record.n_rows);
        tree.weight.push_back(record.weight);
        tree.impurity.push_back(record.impurity);
        tree.score.push_back(record.score);
        const auto sums = output->sums_of(at).first(kept);
        tree.sums.insert(tree.sums.end(), sums.begin(), sums.end());
        for (std::size_t i = record.category_begin; i < record.category_end; ++i) {
            tree.category_code.push_back(output->category_code[i]);
            tree.category_branch.push_back(output->category_branch[i]);
        }
        tree.category_offset.push_back(static_cast<std::int64_t>(tree.category_code.size()));
        for (std::uint32_t branch = 0; branch < record.n_children; ++branch) {
            queue.push_back({output, record.first_child + branch});
        }
    }
    return tree;
}

}  // namespace boxwood
