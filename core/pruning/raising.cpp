#include "pruning/raising.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace boxwood::pruning {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kGroup = 8;        // rows that walk side by side
constexpr int kLevels = 4;               // levels that they go down between two looks at who has arrived
constexpr std::size_t kFirstChunk = 64;  // rows after which a trial looks at what the branch has lost so far

struct Piece {
    std::int32_t row;
    double weight;
};
using Pieces = std::vector<Piece>;
using Range = std::pair<std::size_t, std::size_t>;

class Raising {
  public:
    Raising(const Shape& shape, const Router& router, const RaisingRows& rows, const RaisingRule& rule,
            std::span<const double> counts, std::span<const std::int64_t> n_rows)
        : router_(router),
          rows_(rows),
          rule_(rule),
          k_(rule.n_classes),
          place_(router.places()),
          nodes_(shape.n_nodes()),
          steps_(shape.n_nodes()),
          pieces_(rows.spreads ? shape.n_nodes() : 0),
          counts_(counts.begin(), counts.end()),
          spreads_(rows.spreads),
          added_(shape.n_nodes() * rule.n_classes, 0.0),
          touched_(shape.n_nodes(), 0) {
        static const double zero = 0.0;
        numbers_.assign(rows.columns.begin(), rows.columns.end());
        numbers_.push_back({reinterpret_cast<const std::byte*>(&zero), 0, 0, false});
        resting_ = static_cast<std::int32_t>(rows.columns.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            nodes_[i].source = static_cast<std::int32_t>(i);
            nodes_[i].first = shape.first_child[i];
            nodes_[i].n_children = shape.n_children[i];
            set_step(static_cast<std::int32_t>(i));
        }
        find_unit();
        arrive();
        for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].n_rows = n_rows[i];
    }

    Raised run() {
        prune();
        return finished();
    }

  private:
    // Families move as a whole, so children stay next to each other.
    struct Node {
        std::int32_t source = 0;
        std::int32_t first = -1, n_children = 0;
        bool changed = false;
        std::int64_t n_rows = 0;
        double estimate = 0;
        std::size_t begin = 0, end = 0;  // its rows in order_

        bool leaf() const { return n_children == 0; }
    };

    Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
    double* counts(std::int32_t node) { return counts_.data() + static_cast<std::size_t>(node) * k_; }
    Pieces& pieces(std::int32_t node) { return pieces_[static_cast<std::size_t>(node)]; }
    double weight_of(std::size_t row) const { return rows_.weights.empty() ? 1.0 : rows_.weights[row]; }
    std::size_t class_of(std::int32_t row) const {
        return static_cast<std::size_t>(rows_.target[static_cast<std::size_t>(row)]);
    }
    double weight(std::int32_t node) {
        const double* here = counts(node);
        double sum = 0;
        for (std::size_t k = 0; k < k_; ++k) sum += here[k];
        return sum;
    }

    // ------------------------------------------------------------------------------------------------- estimates

    double estimate(const double* counts) const {
        double size = 0, errors = 0;
        for (std::size_t k = 0; k < k_; ++k) size += counts[k] * rule_.size[k];
        if (size <= 0) return 0;
        if (rule_.losses.empty()) {
            double most = 0;
            for (std::size_t k = 0; k < k_; ++k) most = std::max(most, counts[k] * rule_.size[k]);
            errors = size - most;
        } else {
            errors = kNever;
            for (std::size_t answer = 0; answer < k_; ++answer) {
                double paid = 0;
                for (std::size_t k = 0; k < k_; ++k) paid += counts[k] * rule_.losses[k * k_ + answer];
                errors = std::min(errors, paid);
            }
        }
        return errors + rule_.bound.extra(size, errors);
    }

    // ------------------------------------------------------------------------------------------------- arriving

    // The unit that weights are divided into: so small that the total stays below 2^53 of them.
    void find_unit() {
        double total = 0;
        for (std::size_t row = 0; row < rows_.target.size(); ++row) total += weight_of(row);
        int exponent = 0;
        std::frexp(total, &exponent);
        exponent_ = std::max(exponent - 53, -1074);
    }

    void arrive() {
        const std::size_t n = rows_.target.size();
        const std::vector<double> before = counts_;
        if (spreads_) {
            Pieces all(n);
            for (std::size_t row = 0; row < n; ++row) all[row] = {static_cast<std::int32_t>(row), weight_of(row)};
            if (!send_down(0, std::move(all), Purpose::kMove)) refuse();
        } else {
            std::vector<std::size_t> size(nodes_.size(), 0);
            for (const std::int32_t leaf : rows_.leaf) {
                if (leaf < 0 || !at(leaf).leaf()) refuse();
                ++size[static_cast<std::size_t>(leaf)];
            }
            lay_out(0, 0, [&](std::int32_t leaf) { return size[static_cast<std::size_t>(leaf)]; });
            order_.resize(n);
            std::vector<std::size_t> next(nodes_.size());
            for (std::size_t i = 0; i < nodes_.size(); ++i) next[i] = nodes_[i].begin;
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                if (nodes_[i].leaf()) std::fill_n(counts_.data() + i * k_, k_, 0.0);
            }
            for (std::size_t row = 0; row < n; ++row) {
                const std::int32_t leaf = rows_.leaf[row];
                order_[next[static_cast<std::size_t>(leaf)]++] = static_cast<std::int32_t>(row);
                counts(leaf)[class_of(static_cast<std::int32_t>(row))] += weight_of(row);
            }
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            compare(before, i);
            nodes_[i].changed = false;
        }
        counts_ = before;
    }

    // Gives the nodes at and below `root` their stretches of order_, in depth-first order from `begin` on.
    template <class Size>
    void lay_out(std::int32_t root, std::size_t begin, Size size) {
        open_.assign(1, root);
        std::size_t next = begin;
        visited_.clear();
        while (!open_.empty()) {
            const std::int32_t here = open_.back();
            open_.pop_back();
            visited_.push_back(here);
            Node& node = at(here);
            if (node.leaf()) {
                const std::size_t length = size(here);  // which may look at where it was
                node.end = next + length;
            }
            node.begin = next;
            if (node.leaf()) next = node.end;
            for (std::int32_t child = node.n_children; child-- > 0;) open_.push_back(node.first + child);
        }
        for (std::size_t i = visited_.size(); i-- > 0;) {
            Node& node = at(visited_[i]);
            if (!node.leaf()) node.end = at(node.first + node.n_children - 1).end;
        }
    }

    [[noreturn]] static void refuse() {
        throw std::invalid_argument("these are not the rows that the tree was grown on");
    }

    void compare(const std::vector<double>& before, std::size_t node) const {
        double total = 0, difference = 0;
        for (std::size_t k = 0; k < k_; ++k) {
            total += before[node * k_ + k];
            difference += std::abs(before[node * k_ + k] - counts_[node * k_ + k]);
        }
        if (!(difference <= 1e-6 * total)) refuse();
    }

    // ------------------------------------------------------------------------------------------------- spreading

    enum class Purpose { kMove, kWeigh };  // change the tree, or only added_

    // Sends rows from a node down to leaves, dividing those that are spread. Moving, it sets all counts and pieces at
    // and below the node anew; weighing, it adds class weights to added_ of the leaves. False if a row cannot pass.
    bool send_down(std::int32_t root, Pieces&& all, Purpose purpose) {
        std::vector<std::pair<std::int32_t, Pieces>> waiting;
        waiting.emplace_back(root, std::move(all));
        std::vector<Pieces> parts;
        Pieces lost;
        while (!waiting.empty()) {
            const std::int32_t here = waiting.back().first;
            Pieces pieces = std::move(waiting.back().second);
            waiting.pop_back();
            Node& node = at(here);
            if (purpose == Purpose::kMove) {
                double* sums = counts(here);
                std::fill_n(sums, k_, 0.0);
                for (const Piece& piece : pieces) sums[class_of(piece.row)] += piece.weight;
                node.n_rows = static_cast<std::int64_t>(pieces.size());
                node.changed = true;
            }
            if (node.leaf()) {
                if (purpose == Purpose::kMove) {
                    pieces_[static_cast<std::size_t>(here)] = std::move(pieces);
                } else {
                    touch(here);
                    double* sums = added_.data() + static_cast<std::size_t>(here) * k_;
                    for (const Piece& piece : pieces) sums[class_of(piece.row)] += piece.weight;
                }
                continue;
            }
            parts.assign(static_cast<std::size_t>(node.n_children), {});
            lost.clear();
            const std::int32_t place = place_[static_cast<std::size_t>(node.source)];
            for (const Piece& piece : pieces) {
                const std::int32_t branch = router_.branch(place, rows_.columns, static_cast<std::size_t>(piece.row));
                if (branch == kSpread) {
                    lost.push_back(piece);
                } else if (branch < 0) {
                    return false;
                } else {
                    parts[static_cast<std::size_t>(branch)].push_back(piece);
                }
            }
            if (!lost.empty()) divide(lost, parts, node);
            for (std::size_t branch = 0; branch < parts.size(); ++branch) {
                waiting.emplace_back(node.first + static_cast<std::int32_t>(branch), std::move(parts[branch]));
            }
        }
        return true;
    }

    // Divides the lost rows over the parts in proportion to what these have; all nothing: to what the tree had.
    void divide(const Pieces& lost, std::vector<Pieces>& parts, const Node& node) {
        std::vector<double> known(parts.size(), 0.0);
        double total = 0;
        for (std::size_t branch = 0; branch < parts.size(); ++branch) {
            for (const Piece& piece : parts[branch]) known[branch] += piece.weight;
            total += known[branch];
        }
        if (total <= 0) {
            for (std::size_t branch = 0; branch < parts.size(); ++branch) {
                total += known[branch] = weight(node.first + static_cast<std::int32_t>(branch));
            }
        }
        const auto heaviest = static_cast<std::size_t>(std::max_element(known.begin(), known.end()) - known.begin());
        for (const Piece& piece : lost) {
            double left = piece.weight;
            for (std::size_t branch = 0; branch < parts.size(); ++branch) {
                if (branch == heaviest) continue;
                const double share =
                    std::ldexp(std::rint(std::ldexp(piece.weight * (known[branch] / total), -exponent_)), exponent_);
                if (share <= 0) continue;
                left -= share;
                parts[branch].push_back({piece.row, share});
            }
            if (left > 0) parts[heaviest].push_back({piece.row, left});
        }
    }

    void touch(std::int32_t node) {
        if (touched_[static_cast<std::size_t>(node)]) return;
        touched_[static_cast<std::size_t>(node)] = 1;
        touched_list_.push_back(node);
    }

    void clear_touched() {
        for (const std::int32_t node : touched_list_) {
            touched_[static_cast<std::size_t>(node)] = 0;
            std::fill_n(added_.data() + static_cast<std::size_t>(node) * k_, k_, 0.0);
        }
        touched_list_.clear();
    }

    // ------------------------------------------------------------------------------------------------- rows of nodes

    // All rows of a node of a tree that spreads rows, each once.
    Pieces rows_at(std::int32_t root) {
        Pieces all;
        open_.assign(1, root);
        while (!open_.empty()) {
            const std::int32_t here = open_.back();
            const Node& node = at(here);
            open_.pop_back();
            if (node.leaf()) all.insert(all.end(), pieces(here).begin(), pieces(here).end());
            for (std::int32_t child = 0; child < node.n_children; ++child) open_.push_back(node.first + child);
        }
        std::sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) { return a.row < b.row; });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (kept > 0 && all[kept - 1].row == all[i].row) {
                all[kept - 1].weight += all[i].weight;
            } else {
                all[kept++] = all[i];
            }
        }
        all.resize(kept);
        return all;
    }

    // ------------------------------------------------------------------------------------------------- walking

    // What one step needs, in one place. A leaf, and a node that only the router can answer for, leads to itself.
    struct Step {
        double threshold;
        std::int32_t feature;
        std::int32_t child;  // twice the first child, plus the branch of missing rows
    };

    void set_step(std::int32_t here) {
        const Node& node = at(here);
        Step& step = steps_[static_cast<std::size_t>(here)];
        step = {std::numeric_limits<double>::infinity(), resting_, here * 2};
        if (node.leaf()) return;
        const auto plain = router_.plain(place_[static_cast<std::size_t>(node.source)]);
        if (plain) step = {plain->threshold, plain->feature, node.first * 2 + plain->missing_branch};
    }

    // The leaves below `root` where up to kGroup rows end; false if one of them cannot pass.
    bool walk(std::int32_t root, const std::int32_t* rows, std::size_t n, std::int32_t* leaf) {
        for (std::size_t i = 0; i < n; ++i) leaf[i] = root;
        while (true) {
            bool moving = true;
            while (moving) {
                std::array<std::int32_t, kGroup> before;
                std::copy_n(leaf, n, before.begin());
                for (int level = 0; level < kLevels; ++level) {
                    for (std::size_t i = 0; i < n; ++i) {
                        const Step& step = steps_[static_cast<std::size_t>(leaf[i])];
                        const double x =
                            numbers_[static_cast<std::size_t>(step.feature)].number(static_cast<std::size_t>(rows[i]));
                        const std::int32_t branch =
                            (x > step.threshold ? 1 : 0) | ((std::isnan(x) ? 1 : 0) & step.child);
                        leaf[i] = (step.child >> 1) + branch;
                    }
                }
                moving = !std::equal(leaf, leaf + n, before.begin());
            }
            bool all = true;
            for (std::size_t i = 0; i < n; ++i) {
                const Node& node = at(leaf[i]);
                if (node.leaf()) continue;
                const std::int32_t branch = router_.branch(place_[static_cast<std::size_t>(node.source)], rows_.columns,
                                                           static_cast<std::size_t>(rows[i]));
                if (branch < 0) return false;
                leaf[i] = node.first + branch;
                all = false;
            }
            if (all) return true;
        }
    }

    // Calls use(row, leaf) for the rows of a stretch, sent down from `root`; false if one of them cannot pass.
    template <class Use>
    bool walk_all(std::int32_t root, Range stretch, Use use) {
        std::array<std::int32_t, kGroup> leaf;
        for (std::size_t first = stretch.first; first < stretch.second; first += kGroup) {
            const std::size_t n = std::min(kGroup, stretch.second - first);
            if (!walk(root, order_.data() + first, n, leaf.data())) return false;
            for (std::size_t i = 0; i < n; ++i) use(order_[first + i], leaf[i]);
        }
        return true;
    }

    // ------------------------------------------------------------------------------------------------- pruning

    std::int32_t largest_branch(std::int32_t root) {
        const Node& node = at(root);
        std::int32_t largest = node.first;
        double most = weight(largest);
        for (std::int32_t child = node.first + 1; child < node.first + node.n_children; ++child) {
            const double here = weight(child);
            if (rule_.last_of_ties ? here > most - rule_.tie : here > most + rule_.tie) {
                largest = child;
                most = here;
            }
        }
        return largest;
    }

    // The estimate of a branch on all rows of its parent; something above `enough` if it is more than that.
    double raised_estimate(std::int32_t root, std::int32_t branch, double enough) {
        double found = kNever;
        if (spreads_) {
            if (send_down(branch, rows_at(root), Purpose::kWeigh)) {
                std::sort(touched_list_.begin(), touched_list_.end());
                found = 0;
                for (const std::int32_t leaf : touched_list_) {
                    found += estimate(added_.data() + static_cast<std::size_t>(leaf) * k_);
                }
            }
            clear_touched();
            return found;
        }
        const std::array<Range, 2> others{Range{at(root).begin, at(branch).begin}, Range{at(branch).end, at(root).end}};
        std::size_t chunk = kFirstChunk;
        bool passes = true;
        for (std::size_t side = 0; side < 2 && passes; ++side) {
            for (std::size_t done = others[side].first; done < others[side].second && passes;) {
                const std::size_t end = std::min(others[side].second, done + chunk);
                passes = walk_all(branch, {done, end}, [&](std::int32_t row, std::int32_t leaf) {
                    touch(leaf);
                    added_[static_cast<std::size_t>(leaf) * k_ + class_of(row)] +=
                        weight_of(static_cast<std::size_t>(row));
                });
                done = end;
                chunk *= 4;
                const bool last = done == others[side].second && (side == 1 || others[1].first == others[1].second);
                if (!passes || last) break;
                const double lost = with_added(branch);
                if (lost > enough) {
                    clear_touched();
                    return lost;
                }
            }
        }
        if (passes) {
            std::sort(touched_list_.begin(), touched_list_.end());
            found = with_added(branch);
        }
        clear_touched();
        return found;
    }

    // The estimate of a branch with the rows of a trial.
    double with_added(std::int32_t branch) {
        double sum = at(branch).estimate;
        both_.resize(k_);
        for (const std::int32_t leaf : touched_list_) {
            const double* own = counts(leaf);
            const double* more = added_.data() + static_cast<std::size_t>(leaf) * k_;
            for (std::size_t k = 0; k < k_; ++k) both_[k] = own[k] + more[k];
            sum += estimate(both_.data()) - at(leaf).estimate;
        }
        return sum;
    }

    void make_leaf(std::int32_t root, double estimated) {
        if (spreads_) pieces(root) = rows_at(root);
        Node& node = at(root);
        node.n_children = 0;
        node.first = -1;
        node.estimate = estimated;
        set_step(root);
    }

    // The node takes over the split and the children of its largest branch, which gets all of its rows.
    void raise(std::int32_t root, std::int32_t branch) {
        ++n_raised_;
        if (spreads_) {
            send_down(branch, rows_at(root), Purpose::kMove);
            if (at(branch).leaf()) pieces(root) = std::move(pieces(branch));
        } else {
            bring_in_others(root, branch);
        }
        Node& node = at(root);
        const Node& taken = at(branch);
        node.source = taken.source;
        node.first = taken.first;
        node.n_children = taken.n_children;
        node.changed = true;
        set_step(root);
    }

    void bring_in_others(std::int32_t root, std::int32_t branch) {
        const std::size_t begin = at(root).begin, end = at(root).end;
        std::vector<std::pair<std::int32_t, std::int32_t>> coming;  // leaf, row
        const auto add = [&](std::int32_t row, std::int32_t leaf) {
            coming.emplace_back(leaf, row);
            counts(leaf)[class_of(row)] += weight_of(static_cast<std::size_t>(row));
            at(leaf).changed = true;
            ++at(leaf).n_rows;
        };
        walk_all(branch, {begin, at(branch).begin}, add);
        walk_all(branch, {at(branch).end, end}, add);
        std::stable_sort(coming.begin(), coming.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        const auto of_leaf = [&](std::int32_t leaf) {
            const auto less = [](const auto& entry, std::int32_t value) { return entry.first < value; };
            const auto first = std::lower_bound(coming.begin(), coming.end(), leaf, less);
            return std::pair(first, std::lower_bound(first, coming.end(), leaf + 1, less));
        };
        // What the leaves had, and what comes to them, one after the other.
        std::vector<std::int32_t> rows;
        rows.reserve(end - begin);
        lay_out(branch, begin, [&](std::int32_t leaf) {
            const std::size_t before = rows.size();
            rows.insert(rows.end(), order_.begin() + static_cast<std::ptrdiff_t>(at(leaf).begin),
                        order_.begin() + static_cast<std::ptrdiff_t>(at(leaf).end));
            const auto [first, last] = of_leaf(leaf);
            for (auto entry = first; entry != last; ++entry) rows.push_back(entry->second);
            return rows.size() - before;
        });
        std::copy(rows.begin(), rows.end(), order_.begin() + static_cast<std::ptrdiff_t>(begin));
        // visited_ has the branch in depth-first order: inner nodes are summed up from their children again.
        for (std::size_t i = visited_.size(); i-- > 0;) {
            Node& node = at(visited_[i]);
            if (node.leaf()) continue;
            double* here = counts(visited_[i]);
            std::fill_n(here, k_, 0.0);
            node.n_rows = 0;
            node.changed = true;
            for (std::int32_t child = node.first; child < node.first + node.n_children; ++child) {
                node.n_rows += at(child).n_rows;
                for (std::size_t k = 0; k < k_; ++k) here[k] += counts(child)[k];
            }
        }
    }

    void prune() {
        struct Frame {
            std::int32_t node;
            std::int32_t next;
        };
        std::vector<Frame> frames{{0, 0}};
        while (!frames.empty()) {
            const std::int32_t here = frames.back().node;
            if (at(here).leaf()) {
                at(here).estimate = estimate(counts(here));
                frames.pop_back();
                continue;
            }
            if (frames.back().next < at(here).n_children) {
                const std::int32_t child = at(here).first + frames.back().next++;
                frames.push_back({child, 0});
                continue;
            }
            const double slack = rule_.slack;
            double subtree = 0;
            for (std::int32_t child = 0; child < at(here).n_children; ++child) {
                subtree += at(at(here).first + child).estimate;
            }
            const double as_leaf = estimate(counts(here));
            const std::int32_t branch = largest_branch(here);
            // On more rows the branch makes no fewer errors than on its own.
            if (as_leaf <= subtree + slack && as_leaf <= at(branch).estimate + slack) {
                make_leaf(here, as_leaf);
                frames.pop_back();
                continue;
            }
            const double enough = std::max(subtree, as_leaf <= subtree + slack ? as_leaf : 0.0) + slack;
            const double raised = at(branch).leaf() ? as_leaf : raised_estimate(here, branch, enough);
            if (as_leaf <= subtree + slack && as_leaf <= raised + slack) {
                make_leaf(here, as_leaf);
                frames.pop_back();
            } else if (raised <= subtree + slack) {
                raise(here, branch);
                frames.back().next = 0;
            } else {
                at(here).estimate = subtree;
                frames.pop_back();
            }
        }
    }

    Raised finished() {
        Raised out;
        out.n_raised = n_raised_;
        std::vector<std::int32_t> order{0};
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Node& node = at(order[i]);
            for (std::int32_t child = 0; child < node.n_children; ++child) order.push_back(node.first + child);
        }
        for (const std::int32_t node : order) {
            out.source.push_back(at(node).source);
            out.leaf.push_back(at(node).leaf());
            out.changed.push_back(at(node).changed);
            out.n_rows.push_back(at(node).n_rows);
            out.counts.insert(out.counts.end(), counts(node), counts(node) + k_);
        }
        return out;
    }

    const Router& router_;
    const RaisingRows& rows_;
    const RaisingRule& rule_;
    std::size_t k_;
    std::vector<std::int32_t> place_;
    std::vector<Node> nodes_;
    std::vector<Step> steps_;
    std::vector<Pieces> pieces_;       // of each leaf, where rows are spread
    std::vector<std::int32_t> order_;  // rows by leaf, depth first, where they are not
    std::vector<Column> numbers_;      // the columns, and one of a single zero
    std::int32_t resting_ = 0;         // what a row that has arrived reads
    std::vector<double> counts_;
    bool spreads_;
    int exponent_ = 0;
    std::int64_t n_raised_ = 0;
    std::vector<double> added_, both_;  // class weights that come to leaves in a trial
    std::vector<std::uint8_t> touched_;
    std::vector<std::int32_t> touched_list_, open_, visited_;
};

}  // namespace

Raised prune_and_raise(const Shape& shape, const Router& router, const RaisingRows& rows, const RaisingRule& rule,
                       std::span<const double> counts, std::span<const std::int64_t> n_rows) {
    return Raising(shape, router, rows, rule, counts, n_rows).run();
}

}  // namespace boxwood::pruning
