#include "optimal/greedy.hpp"

#include <algorithm>
#include <numeric>

namespace boxwood::optimal {
namespace {

struct Draft {
    std::int32_t feature = -1, answer = -1;
    std::int32_t left = -1, right = -1;
    Cost leaf = 0;   // objective of this node as a leaf
    Cost value = 0;  // of the subtree
    std::int64_t leaves = 1;
};

// A grown tree, and how it is pruned.
class Drafts {
  public:
    explicit Drafts(const Limits& limits) : limits_(limits) {}

  protected:
    Sketch finished() {
        prune();
        while (limits_.max_leaves > 0 && nodes_[0].leaves > limits_.max_leaves) collapse();
        Sketch tree;
        write(0, tree);
        return tree;
    }

    const Limits& limits_;
    std::vector<Draft> nodes_;

  private:
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
        tree[static_cast<std::size_t>(place)] = {node.feature, left, right, -1};
        return place;
    }
};

// Growth on bit columns.
class Grower : Drafts {
  public:
    Grower(const Rows& rows, const Limits& limits, Control& control) : Drafts(limits), rows_(rows), control_(control) {}

    Sketch run() {
        grow(rows_.all(), limits_.max_depth);
        return finished();
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
        nodes_[at].feature = rows_.original[static_cast<std::size_t>(feature)];
        const std::int32_t first = grow(left, depth - 1);
        const std::int32_t second = grow(right, depth - 1);
        nodes_[at].left = first;
        nodes_[at].right = second;
        return static_cast<std::int32_t>(at);
    }

    const Rows& rows_;
    Control& control_;
};

// Growth on the cells as they came, with four bytes per row and one count per feature and class.
class PlainGrower : Drafts {
  public:
    PlainGrower(const Problem& problem, const Limits& limits, Control& control)
        : Drafts(limits), problem_(problem), control_(control), rows_(problem.n_rows) {
        std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
    }

    Sketch run() {
        grow(0, rows_.size(), limits_.max_depth);
        return finished();
    }

  private:
    using Sums = std::vector<std::int64_t>;  // weight by class, then the number of rows

    std::int64_t weight(std::uint32_t row) const { return problem_.weights.empty() ? 1 : problem_.weights[row]; }

    // The cost of the best answer, and which it is.
    std::pair<Cost, std::int32_t> leaf(const std::int64_t* sums) const {
        const std::size_t k = problem_.n_classes;
        std::pair<Cost, std::int32_t> best{kInfinite, 0};
        for (std::size_t answer = 0; answer < k; ++answer) {
            Cost cost = 0;
            for (std::size_t truth = 0; truth < k; ++truth) {
                cost += sums[truth] * (problem_.costs.empty() ? truth != answer : problem_.costs[truth * k + answer]);
            }
            best = std::min(best, {cost, static_cast<std::int32_t>(answer)});
        }
        return best;
    }

    bool large_enough(const std::int64_t* sums) const {
        const std::size_t k = problem_.n_classes;
        return sums[k] >= std::max<std::int64_t>(1, limits_.min_rows) &&
               std::accumulate(sums, sums + k, std::int64_t{0}) >= limits_.min_weight;
    }

    double worth(const std::int64_t* sums) const {  // larger is better
        if (!problem_.costs.empty()) return -static_cast<double>(leaf(sums).first);
        double squares = 0, sum = 0;
        for (std::size_t i = 0; i < problem_.n_classes; ++i) {
            const auto value = static_cast<double>(sums[i]);
            squares += value * value;
            sum += value;
        }
        return squares / sum;
    }

    std::int32_t best_split(std::size_t begin, std::size_t end, const Sums& all) const {
        const std::size_t k = problem_.n_classes;
        Sums ones(problem_.n_features * (k + 1), 0), zeros(k + 1);
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint8_t* cells = problem_.cells + rows_[i] * problem_.n_features;
            std::int64_t* label = ones.data() + static_cast<std::size_t>(problem_.target[rows_[i]]);
            std::int64_t* count = ones.data() + k;
            for (std::size_t f = 0; f < problem_.n_features; ++f) {
                label[f * (k + 1)] += cells[f] * weight(rows_[i]);
                count[f * (k + 1)] += cells[f];
            }
        }
        std::int32_t feature = -1;
        double best = 0;
        for (std::size_t f = 0; f < problem_.n_features; ++f) {
            const std::int64_t* one = ones.data() + f * (k + 1);
            for (std::size_t i = 0; i <= k; ++i) zeros[i] = all[i] - one[i];
            if (!large_enough(one) || !large_enough(zeros.data())) continue;
            const double value = worth(one) + worth(zeros.data());
            if (feature >= 0 && value <= best) continue;
            best = value;
            feature = static_cast<std::int32_t>(f);
        }
        return feature;
    }

    std::int32_t grow(std::size_t begin, std::size_t end, int depth) {
        const std::size_t at = nodes_.size(), k = problem_.n_classes;
        nodes_.emplace_back();
        Sums all(k + 1, 0);
        for (std::size_t i = begin; i < end; ++i) {
            all[static_cast<std::size_t>(problem_.target[rows_[i]])] += weight(rows_[i]);
        }
        all[k] = static_cast<std::int64_t>(end - begin);
        const auto [cost, answer] = leaf(all.data());
        nodes_[at].leaf = limits_.weight_unit * cost + limits_.leaf_cost;
        nodes_[at].answer = answer;
        const bool pure = std::count(all.begin(), all.end() - 1, 0) + 1 >= static_cast<std::ptrdiff_t>(k);
        if (depth == 0 || pure || control_.look(0)) return static_cast<std::int32_t>(at);
        const std::int32_t feature = best_split(begin, end, all);
        if (feature < 0) return static_cast<std::int32_t>(at);
        const auto middle = std::partition(
            rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.begin() + static_cast<std::ptrdiff_t>(end),
            [&](std::uint32_t row) {
                return problem_.cells[row * problem_.n_features + static_cast<std::size_t>(feature)] == 0;
            });
        const auto border = static_cast<std::size_t>(middle - rows_.begin());
        nodes_[at].feature = feature;
        const std::int32_t left = grow(begin, border, depth - 1);
        const std::int32_t right = grow(border, end, depth - 1);
        nodes_[at].left = left;
        nodes_[at].right = right;
        return static_cast<std::int32_t>(at);
    }

    const Problem& problem_;
    Control& control_;
    std::vector<std::uint32_t> rows_;
};

}  // namespace

Sketch grow_greedily(const Rows& rows, const Limits& limits, Control& control) {
    return Grower(rows, limits, control).run();
}

Sketch grow_plainly(const Problem& problem, const Limits& limits, Control& control) {
    return PlainGrower(problem, limits, control).run();
}

}  // namespace boxwood::optimal
