#include "optimal/greedy.hpp"

#include <algorithm>

namespace boxwood::optimal {
namespace {

struct Draft {
    std::int32_t feature = -1, answer = -1;
    std::int32_t left = -1, right = -1;
    Cost leaf = 0;   // objective of this node as a leaf
    Cost value = 0;  // of the subtree
    std::int64_t leaves = 1;
};

class Grower {
  public:
    Grower(const Rows& rows, const Limits& limits, Control& control)
        : rows_(rows), limits_(limits), control_(control) {}

    Sketch run() {
        grow(rows_.all(), limits_.max_depth);
        prune();
        while (limits_.max_leaves > 0 && nodes_[0].leaves > limits_.max_leaves) collapse();
        Sketch tree;
        write(0, tree);
        return tree;
    }

  private:
    // Larger is better.
    double worth(const Part& left, const Part& right) const {
        if (!rows_.largest) return -static_cast<double>(rows_.leaf(left) + rows_.leaf(right));
        double total = 0;
        for (const Part* part : {&left, &right}) {
            double squares = 0, sum = 0;
            for (std::size_t p = 0; p < rows_.n_planes; ++p) {
                const auto value = static_cast<double>(part->sums[p]);
                squares += value * value;
                sum += value;
            }
            total += squares / sum;
        }
        return total;
    }

    std::int32_t grow(const Part& part, int depth) {
        const std::size_t at = nodes_.size();
        nodes_.emplace_back();
        nodes_[at].leaf = limits_.weight_unit * rows_.leaf(part) + limits_.leaf_cost;
        nodes_[at].answer = rows_.answer(part);
        if (depth == 0 || rows_.leaf(part) == 0 || control_.look(0)) return static_cast<std::int32_t>(at);
        double best = 0;
        std::int32_t feature = -1;
        Part left, right;
        for (std::size_t f = 0; f < rows_.n_features; ++f) {
            rows_.restrict(part, f, false, left);
            if (!rows_.large_enough(left)) continue;
            rows_.restrict(part, f, true, right);
            if (!rows_.large_enough(right)) continue;
            const double value = worth(left, right);
            if (feature >= 0 && value <= best) continue;
            best = value;
            feature = static_cast<std::int32_t>(f);
        }
        if (feature < 0) return static_cast<std::int32_t>(at);
        rows_.restrict(part, static_cast<std::size_t>(feature), false, left);
        rows_.restrict(part, static_cast<std::size_t>(feature), true, right);
        nodes_[at].feature = feature;
        const std::int32_t first = grow(left, depth - 1);
        const std::int32_t second = grow(right, depth - 1);
        nodes_[at].left = first;
        nodes_[at].right = second;
        return static_cast<std::int32_t>(at);
    }

    // Children come after their parent, so one pass from the end sees them first.
    void prune() {
        for (std::size_t at = nodes_.size(); at-- > 0;) settle(nodes_[at]);
    }

    void settle(Draft& node) {
        node.value = node.leaf;
        node.leaves = 1;
        if (node.feature < 0) return;
        const Draft &left = nodes_[static_cast<std::size_t>(node.left)],
                    &right = nodes_[static_cast<std::size_t>(node.right)];
        if (left.value + right.value >= node.leaf) {
            node.feature = -1;
            return;
        }
        node.value = left.value + right.value;
        node.leaves = left.leaves + right.leaves;
    }

    void collapse() {
        std::vector<std::size_t> alive{0};
        std::size_t weakest = 0;
        Cost least = kInfinite;
        for (std::size_t i = 0; i < alive.size(); ++i) {
            const Draft& node = nodes_[alive[i]];
            if (node.feature < 0) continue;
            if (node.leaves == 2 && node.leaf - node.value < least) least = node.leaf - node.value, weakest = alive[i];
            alive.push_back(static_cast<std::size_t>(node.left));
            alive.push_back(static_cast<std::size_t>(node.right));
        }
        nodes_[weakest].feature = -1;
        prune();
    }

    std::int32_t write(std::size_t at, Sketch& tree) const {
        const auto place = static_cast<std::int32_t>(tree.size());
        const Draft& node = nodes_[at];
        tree.push_back({-1, -1, -1, node.answer});
        if (node.feature < 0) return place;
        const std::int32_t left = write(static_cast<std::size_t>(node.left), tree);
        const std::int32_t right = write(static_cast<std::size_t>(node.right), tree);
        tree[static_cast<std::size_t>(place)] = {rows_.original[static_cast<std::size_t>(node.feature)], left, right,
                                                 -1};
        return place;
    }

    const Rows& rows_;
    const Limits& limits_;
    Control& control_;
    std::vector<Draft> nodes_;
};

}  // namespace

Sketch grow_greedily(const Rows& rows, const Limits& limits, Control& control) {
    return Grower(rows, limits, control).run();
}

}  // namespace boxwood::optimal
