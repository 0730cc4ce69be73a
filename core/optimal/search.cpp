#include "optimal/search.hpp"

#include <algorithm>

namespace boxwood::optimal {
namespace {

// Leaves that the kernel is asked for.
int kernel_leaves(Task task) {
    return std::min(task.leaves, 1 << task.depth);
}

}  // namespace

Search::Search(const Rows& rows, const Limits& limits, const Tactics& tactics, Control& control, Table& table,
               std::size_t member)
    : rows_(rows),
      limits_(limits),
      tactics_(tactics),
      control_(control),
      table_(table),
      member_(member),
      kernel_(rows, limits, control, member, tactics.machine),
      archives_(static_cast<std::size_t>(limits.max_depth) + 1),
      ordered_(static_cast<std::size_t>(limits.max_depth) + 1) {}

Search::Open::Open(const Part& of, Task what, Cost known, std::vector<std::int32_t> features, Best start)
    : part(of),
      task(what),
      lower(known),
      order(std::move(features)),
      siblings(std::min<std::size_t>(4096, 2 * order.size())),
      best(start),
      bound(order.size(), known) {}

// What no tree on this part can go below.
Cost Search::floor_value(const Part& part) const {
    return (tactics_.floor ? limits_.weight_unit * rows_.floor(part) : 0) + limits_.leaf_cost;
}

bool Search::recall(const Part& part, Task task, Known& known) {
    if (!tactics_.table) return false;
    const Key key = key_of(part.mask, task.depth, task.leaves);
    if (table_.find(key, known)) return true;
    if (!past_ || !past_->find(key, known)) return false;
    if (rows_.told_apart_anew(part, past_features_)) {
        // The tree that there was is still one, and there may be better ones.
        known = {0, known.lower == known.upper ? known.upper + 1 : known.upper, -1, 0};
    } else {
        ++counters_.inherited;
    }
    table_.store(key, known, task.depth);  // so that it is asked once
    return true;
}

void Search::remember(const Part& part, Task task, const Bounds& bounds) {
    if (tactics_.table) {
        table_.store(key_of(part.mask, task.depth, task.leaves),
                     {bounds.lower, bounds.exact() ? bounds.upper : kInfinite, bounds.feature, bounds.left_leaves},
                     task.depth);
    }
    if (tactics_.archive) {
        archives_[static_cast<std::size_t>(task.depth)].add(rows_, part.mask, bounds.lower, task);
    }
}

Bounds Search::shallow(const Part& part, Task task) {
    control_.count_node();
    const int leaves = kernel_leaves(task);
    const Shallow found = kernel_.solve(part, task.depth, leaves);
    const Cost leaf = leaf_value(part);
    if (!found.complete) return {std::min(leaf, floor_value(part) + limits_.leaf_cost), leaf, -1, 0};
    const Cost value = found.value[static_cast<std::size_t>(leaves)];
    const Bounds bounds{value, value, found.feature, task.leaves == kFree ? kFree : found.left_leaves};
    remember(part, task, bounds);
    if (tactics_.table && task.leaves != kFree) {
        // The same count answers the smaller budgets of this depth; their roots are found when they are wanted.
        for (std::int32_t fewer = task.leaves - 1; reduced(task.depth, fewer).depth == task.depth; --fewer) {
            const Cost other = found.value[static_cast<std::size_t>(fewer)];
            table_.store(key_of(part.mask, task.depth, fewer), {other, kInfinite, -1, 0}, task.depth);
        }
    }
    return bounds;
}

Bounds Search::solve(const Part& part, int depth, std::int32_t leaves, Cost limit) {
    const Task task = reduced(depth, leaves);
    const Cost leaf = leaf_value(part);
    Cost lower = std::min(leaf, floor_value(part) + limits_.leaf_cost);  // a split makes two leaves
    if (task.depth == 0 || lower == leaf) return {leaf, leaf, -1, 0};
    if (lower >= limit || control_.stopped()) return {lower, leaf, -1, 0};
    Known known;
    if (recall(part, task, known)) {
        ++counters_.hits;
        if (known.lower == known.upper) return {known.lower, known.upper, known.feature, known.left_leaves};
        lower = std::max(lower, known.lower);
    }
    if (tactics_.archive && lower < limit) {
        const Archive& archive = archives_[static_cast<std::size_t>(task.depth)];
        lower = std::max(lower, archive.bound(rows_, limits_.weight_unit, part.mask, task, limit));
    }
    if (lower >= leaf) return {leaf, leaf, -1, 0};
    if (lower >= limit) return {lower, leaf, -1, 0};
    if (task.depth <= tactics_.deepest) return shallow(part, task);
    ++counters_.nodes;
    control_.count_node();
    if (control_.look(member_)) return {lower, leaf, -1, 0};
    const auto node = open(part, task, std::min(limit, known.upper), lower);
    each(task.depth, node->order.size(), [&](Search& who, std::size_t place) { who.try_split(*node, place); });
    if (control_.stopped()) return {lower, leaf, -1, 0};
    return close(*node);
}

std::pair<std::vector<std::int32_t>, Cost> Search::order_of(const Part& part, Task task) {
    Cost reachable = kInfinite;
    const int depth = std::min(task.depth - 1, tactics_.deepest);
    const Key key = key_of(part.mask, task.depth, task.leaves);
    Ordered& last = ordered_[static_cast<std::size_t>(task.depth)];
    if (last.key.first == key.first && last.key.second == key.second) return {last.order, last.reachable};
    if (tactics_.look_ahead && depth >= 1) {
        const Task ahead{depth, task.leaves};
        const Shallow found = kernel_.solve(part, depth, kernel_leaves(ahead), &roots_);
        if (!found.complete) return {{}, kInfinite};
        reachable = found.value[static_cast<std::size_t>(kernel_leaves(ahead))];
    } else {
        roots_.clear();
        Part left, right;
        for (std::size_t f = 0; f < rows_.n_features; ++f) {
            rows_.restrict(part, f, false, left);
            if (!rows_.large_enough(left)) continue;
            rows_.restrict(part, f, true, right);
            if (!rows_.large_enough(right)) continue;
            roots_.push_back({rows_.leaf(left) + rows_.leaf(right), static_cast<std::int32_t>(f)});
        }
    }
    std::sort(roots_.begin(), roots_.end(), [](const Root& a, const Root& b) {
        return a.value != b.value ? a.value < b.value : a.feature < b.feature;
    });
    std::vector<std::int32_t> order;
    order.reserve(roots_.size());
    for (const Root& root : roots_) order.push_back(root.feature);
    last = {key, order, reachable};
    return {std::move(order), reachable};
}

std::unique_ptr<Search::Open> Search::open(const Part& part, Task task, Cost limit, Cost lower) {
    auto [order, reachable] = order_of(part, task);
    const Cost leaf = leaf_value(part);
    // A tree that costs `reachable` is there: the optimum is below that plus one.
    Open::Best best{std::min(limit, reachable < kInfinite ? reachable + 1 : kInfinite), Open::kNowhere, 0};
    if (leaf < best.value) best = {leaf, -1, 0};
    return std::make_unique<Open>(part, task, lower, std::move(order), best);
}

// The smallest and largest number of leaves on the left.
std::pair<std::int32_t, std::int32_t> Search::budgets(Task task) const {
    if (task.leaves == kFree) return {kFree, kFree};
    const int below = task.depth - 1;
    const std::int32_t most = below < 30 ? std::int32_t{1} << below : kFree;
    return {std::max(1, task.leaves - most), std::min(most, task.leaves - 1)};
}

Cost Search::child_bound(const Open& node, const Part& child, Task task, Cost enough) {
    const Cost leaf = leaf_value(child);
    if (task.depth == 0) return leaf;
    Cost lower = std::min(leaf, floor_value(child) + limits_.leaf_cost);
    if (lower >= enough) return lower;
    Known known;
    if (recall(child, task, known)) lower = std::max(lower, known.lower);
    if (lower >= enough) return lower;
    if (tactics_.siblings) {
        lower = std::max(lower, node.siblings.bound(rows_, limits_.weight_unit, child.mask, task, enough));
        if (lower >= enough) return lower;
    }
    if (tactics_.archive) {
        const Archive& archive = archives_[static_cast<std::size_t>(task.depth)];
        lower = std::max(lower, archive.bound(rows_, limits_.weight_unit, child.mask, task, enough));
    }
    return lower;
}

bool Search::try_split(Open& node, std::size_t place) {
    const auto at = static_cast<std::ptrdiff_t>(place);
    Part part[2];
    bool made = false, improved = false;
    Cost bound = kInfinite;
    const auto [fewest, most] = budgets(node.task);
    for (std::int32_t left = fewest;; ++left) {
        const std::int32_t right = node.task.leaves == kFree ? kFree : node.task.leaves - left;
        const Open::Best best = node.current();
        // Later in the order a tie is no gain; earlier it is.
        const bool before = best.place != Open::kNowhere && at < best.place;
        const Cost target = best.value + before;
        if (best.value <= node.lower && best.place != Open::kNowhere && !before) {
            bound = std::min(bound, node.lower);
            break;
        }
        if (!made) {
            const auto feature = static_cast<std::size_t>(node.order[place]);
            rows_.restrict(node.part, feature, false, part[0]);
            rows_.restrict(node.part, feature, true, part[1]);
            if (!rows_.large_enough(part[0]) || !rows_.large_enough(part[1])) break;
            made = true;
        }
        const Task task[2] = {reduced(node.task.depth - 1, left), reduced(node.task.depth - 1, right)};
        Cost known[2];
        known[0] = child_bound(node, part[0], task[0], target);
        known[1] = child_bound(node, part[1], task[1], target - known[0]);
        if (known[0] + known[1] >= target) {
            ++counters_.skipped;
            bound = std::min(bound, known[0] + known[1]);
        } else {
            const int i = leaf_value(part[0]) >= leaf_value(part[1]) ? 0 : 1, j = 1 - i;
            const Bounds first = solve(part[i], task[i].depth, task[i].leaves, target - known[j]);
            if (control_.stopped()) return improved;
            const Cost one = std::max(first.lower, known[i]);
            if (tactics_.siblings) node.siblings.add(part[i].mask, one, task[i]);
            if (one + known[j] >= target) {
                bound = std::min(bound, one + known[j]);
            } else {
                const Bounds second = solve(part[j], task[j].depth, task[j].leaves, target - one);
                if (control_.stopped()) return improved;
                const Cost other = std::max(second.lower, known[j]);
                if (tactics_.siblings) node.siblings.add(part[j].mask, other, task[j]);
                bound = std::min(bound, one + other);
                if (one + other < target) {
                    std::lock_guard lock(node.mutex);
                    const bool earlier = node.best.place != Open::kNowhere && at < node.best.place;
                    if (one + other < node.best.value + earlier) {
                        node.best = {one + other, at, left};
                        improved = true;
                    }
                }
            }
        }
        if (left == most) break;
    }
    std::lock_guard lock(node.mutex);
    node.bound[place] = std::max(node.lower, bound);
    return improved;
}

Bounds Search::close(Open& node) {
    const Cost leaf = leaf_value(node.part);
    Bounds bounds;
    if (node.best.place != Open::kNowhere) {
        const bool split = node.best.place >= 0;
        bounds = {node.best.value, node.best.value, split ? node.order[static_cast<std::size_t>(node.best.place)] : -1,
                  node.best.left_leaves};
    } else {
        Cost lower = leaf;
        for (const Cost bound : node.bound) lower = std::min(lower, bound);
        bounds = {std::max(node.lower, lower), leaf, -1, 0};
    }
    remember(node.part, node.task, bounds);
    return bounds;
}

Search::Probe Search::probe(const Part& part, int depth, std::int32_t leaves, int discrepancies, Cost limit) {
    const Task task = reduced(depth, leaves);
    const Cost leaf = leaf_value(part);
    const auto whole = [&] {
        return std::make_shared<const Plan>(Plan{-1, task.depth, task.leaves, nullptr, nullptr});
    };
    Probe best{leaf, std::make_shared<const Plan>(Plan{-1, 0, 1, nullptr, nullptr})};
    if (leaf <= floor_value(part) + limits_.leaf_cost || floor_value(part) >= limit || control_.look(member_))
        return best;
    if (task.depth <= tactics_.deepest) {
        const Bounds bounds = solve(part, task.depth, task.leaves, kInfinite);
        if (bounds.exact() && !control_.stopped()) best = {bounds.upper, whole()};
        return best;
    }
    Known known;
    if (recall(part, task, known)) {
        if (known.lower == known.upper) return {known.upper, whole()};
        if (known.lower >= limit) return best;
    }
    const std::vector<std::int32_t> order = order_of(part, task).first;
    Probed node{part, task, limit, {}, std::move(best)};
    each(task.depth, std::min(order.size(), static_cast<std::size_t>(discrepancies) + 1),
         [&](Search& who, std::size_t place) {
             who.probe_split(node, order[place], discrepancies - static_cast<int>(place));
         });
    return node.best;
}

void Search::probe_split(Probed& node, std::int32_t feature, int discrepancies) {
    const Task task = node.task;
    Part side[2];
    rows_.restrict(node.part, static_cast<std::size_t>(feature), false, side[0]);
    rows_.restrict(node.part, static_cast<std::size_t>(feature), true, side[1]);
    if (!rows_.large_enough(side[0]) || !rows_.large_enough(side[1])) return;
    const Cost floor = floor_value(side[1]);
    const auto [fewest, most] = budgets(task);
    for (std::int32_t left = fewest;; ++left) {
        const std::int32_t right = task.leaves == kFree ? kFree : task.leaves - left;
        const Cost target = node.target();
        const Probe one = probe(side[0], task.depth - 1, left, discrepancies, target - floor);
        if (control_.stopped()) return;
        if (one.value + floor < target) {
            const Probe other = probe(side[1], task.depth - 1, right, discrepancies, target - one.value);
            // A tree that a stopped probe returns is a tree all the same.
            auto plan = std::make_shared<const Plan>(Plan{feature, 0, 0, one.plan, other.plan});
            std::lock_guard lock(node.mutex);
            if (one.value + other.value < node.best.value) node.best = {one.value + other.value, std::move(plan)};
        }
        if (left == most || control_.stopped()) return;
    }
}

template <class Left, class Right>
bool Search::append(const Part& part, std::int32_t feature, Sketch& tree, Left left, Right right) {
    const std::size_t at = tree.size();
    tree.push_back({rows_.original[static_cast<std::size_t>(feature)], -1, -1, -1});
    Part zero, one;
    rows_.restrict(part, static_cast<std::size_t>(feature), false, zero);
    rows_.restrict(part, static_cast<std::size_t>(feature), true, one);
    tree[at].left = static_cast<std::int32_t>(tree.size());
    if (!left(zero, one)) return false;
    tree[at].right = static_cast<std::int32_t>(tree.size());
    return right(one, zero);
}

// The optimum of the part must be below `limit`. Where the table has lost it, that makes finding it again cheaper.
bool Search::grow(const Part& part, int depth, std::int32_t leaves, Cost limit, Sketch& tree) {
    const Task task = reduced(depth, leaves);
    const Bounds bounds = solve(part, task.depth, task.leaves, limit);
    if (!bounds.exact() || control_.stopped()) return false;
    if (bounds.feature < 0) {
        tree.push_back({-1, -1, -1, rows_.answer(part)});
        return true;
    }
    const std::int32_t left = bounds.left_leaves;
    const std::int32_t right = task.leaves == kFree ? kFree : task.leaves - left;
    return append(
        part, bounds.feature, tree,
        [&](const Part& child, const Part& other) {
            return grow(child, task.depth - 1, left, bounds.upper - floor_value(other) + 1, tree);
        },
        [&](const Part& child, const Part& other) {
            return grow(child, task.depth - 1, right, bounds.upper - floor_value(other) + 1, tree);
        });
}

bool Search::grow(const Part& part, const Plan& plan, Sketch& tree) {
    if (plan.feature < 0) return grow(part, plan.depth, plan.leaves, kInfinite, tree);
    return append(
        part, plan.feature, tree, [&](const Part& child, const Part&) { return grow(child, *plan.left, tree); },
        [&](const Part& child, const Part&) { return grow(child, *plan.right, tree); });
}

std::optional<Sketch> Search::rebuild(const Part& part, int depth, std::int32_t leaves) {
    Sketch tree;
    if (!grow(part, depth, leaves, kInfinite, tree)) return std::nullopt;
    return tree;
}

std::optional<Sketch> Search::rebuild(const Part& part, const Plan& plan) {
    Sketch tree;
    if (!grow(part, plan, tree)) return std::nullopt;
    return tree;
}

}  // namespace boxwood::optimal
