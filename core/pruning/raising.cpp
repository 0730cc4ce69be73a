#include "pruning/raising.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace boxwood::pruning {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kFirstChunk = 32;

struct Piece {
    std::int32_t row;
    double weight;
};
using Pieces = std::vector<Piece>;

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
          counts_(counts.begin(), counts.end()),
          spreads_(rows.spreads),
          added_(shape.n_nodes() * rule.n_classes, 0.0),
          touched_(shape.n_nodes(), 0) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            Node& node = nodes_[i];
            node.source = static_cast<std::int32_t>(i);
            node.n_rows = n_rows[i];
            node.leaf = shape.is_leaf(i);
            if (node.leaf) continue;
            for (std::size_t child = shape.begin(i); child < shape.end(i); ++child) {
                node.children.push_back(static_cast<std::int32_t>(child));
            }
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
    struct Node {
        std::int32_t source = 0;
        std::int64_t n_rows = 0;
        double estimate = 0;
        bool leaf = false, changed = false;
        std::vector<std::int32_t> children;
        Pieces pieces;  // of a leaf
    };

    Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
    double* counts(std::int32_t node) { return counts_.data() + static_cast<std::size_t>(node) * k_; }
    double weight_of(std::size_t row) const { return rows_.weights.empty() ? 1.0 : rows_.weights[row]; }
    std::size_t class_of(const Piece& piece) const {
        return static_cast<std::size_t>(rows_.target[static_cast<std::size_t>(piece.row)]);
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
        std::vector<double> before = counts_;
        if (!spreads_) {
            for (std::size_t row = 0; row < n; ++row) {
                if (rows_.leaf[row] < 0) refuse();
                Node& leaf = at(rows_.leaf[row]);
                if (!leaf.leaf) refuse();
                leaf.pieces.push_back({static_cast<std::int32_t>(row), weight_of(row)});
            }
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                if (!nodes_[i].leaf) continue;
                double* here = counts_.data() + i * k_;
                std::fill_n(here, k_, 0.0);
                for (const Piece& piece : nodes_[i].pieces) here[class_of(piece)] += piece.weight;
                compare(before, i);
            }
            std::copy(before.begin(), before.end(), counts_.begin());
            return;
        }
        Pieces all(n);
        for (std::size_t row = 0; row < n; ++row) all[row] = {static_cast<std::int32_t>(row), weight_of(row)};
        if (!send_down(0, std::move(all), Purpose::kMove)) refuse();
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            compare(before, i);
            nodes_[i].changed = false;
        }
        std::copy(before.begin(), before.end(), counts_.begin());
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
                for (const Piece& piece : pieces) sums[class_of(piece)] += piece.weight;
                node.n_rows = static_cast<std::int64_t>(pieces.size());
                node.changed = true;
            }
            if (node.leaf) {
                if (purpose == Purpose::kMove) {
                    node.pieces = std::move(pieces);
                } else {
                    touch(here);
                    double* sums = added_.data() + static_cast<std::size_t>(here) * k_;
                    for (const Piece& piece : pieces) sums[class_of(piece)] += piece.weight;
                }
                continue;
            }
            parts.assign(node.children.size(), {});
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
                waiting.emplace_back(node.children[branch], std::move(parts[branch]));
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
                total += known[branch] = weight(node.children[branch]);
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

    // Appends the pieces of all leaves below a node.
    void gather(std::int32_t root, Pieces& out) {
        open_.assign(1, root);
        while (!open_.empty()) {
            const Node& node = at(open_.back());
            open_.pop_back();
            if (node.leaf) {
                out.insert(out.end(), node.pieces.begin(), node.pieces.end());
            } else {
                open_.insert(open_.end(), node.children.rbegin(), node.children.rend());
            }
        }
    }

    // All rows of a node, each once.
    Pieces rows_at(std::int32_t root) {
        Pieces all;
        gather(root, all);
        if (!spreads_) return all;
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

    Pieces rows_of_others(std::int32_t root, std::int32_t largest) {
        Pieces all;
        for (const std::int32_t child : at(root).children) {
            if (child != largest) gather(child, all);
        }
        return all;
    }

    // The leaf below `root` where a row ends, or -1; calls pass(node) for each node on the way.
    template <class Pass>
    std::int32_t walk(std::int32_t root, const Piece& piece, Pass pass) {
        std::int32_t here = root;
        pass(here);
        while (!at(here).leaf) {
            const Node& node = at(here);
            const std::int32_t branch = router_.branch(place_[static_cast<std::size_t>(node.source)], rows_.columns,
                                                       static_cast<std::size_t>(piece.row));
            if (branch < 0) return -1;
            here = node.children[static_cast<std::size_t>(branch)];
            pass(here);
        }
        return here;
    }

    // ------------------------------------------------------------------------------------------------- pruning

    std::int32_t largest_branch(std::int32_t root) {
        const std::vector<std::int32_t>& children = at(root).children;
        std::size_t largest = 0;
        double most = weight(children[0]);
        for (std::size_t branch = 1; branch < children.size(); ++branch) {
            const double here = weight(children[branch]);
            if (rule_.last_of_ties ? here > most - rule_.tie : here > most + rule_.tie) {
                largest = branch;
                most = here;
            }
        }
        return children[largest];
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
        const Pieces others = rows_of_others(root, branch);
        std::size_t done = 0, chunk = kFirstChunk;
        while (true) {
            const std::size_t end = std::min(others.size(), done + chunk);
            bool passes = true;
            for (; done < end && passes; ++done) {
                const std::int32_t leaf = walk(branch, others[done], [](std::int32_t) {});
                passes = leaf >= 0;
                if (!passes) break;
                touch(leaf);
                added_[static_cast<std::size_t>(leaf) * k_ + class_of(others[done])] += others[done].weight;
            }
            if (!passes) break;
            if (done == others.size()) std::sort(touched_list_.begin(), touched_list_.end());
            double sum = at(branch).estimate;
            for (const std::int32_t leaf : touched_list_) {
                const double* own = counts(leaf);
                const double* more = added_.data() + static_cast<std::size_t>(leaf) * k_;
                both_.resize(k_);
                for (std::size_t k = 0; k < k_; ++k) both_[k] = own[k] + more[k];
                sum += estimate(both_.data()) - at(leaf).estimate;
            }
            if (done == others.size() || sum > enough) {
                found = sum;
                break;
            }
            chunk *= 2;
        }
        clear_touched();
        return found;
    }

    void make_leaf(std::int32_t root, double estimated) {
        Pieces all = rows_at(root);
        Node& node = at(root);
        node.pieces = std::move(all);
        open_.assign(node.children.begin(), node.children.end());
        while (!open_.empty()) {
            Node& gone = at(open_.back());
            open_.pop_back();
            open_.insert(open_.end(), gone.children.begin(), gone.children.end());
            gone.pieces = {};
            gone.children = {};
        }
        node.children = {};
        node.leaf = true;
        node.estimate = estimated;
    }

    // The node takes the place of its largest branch, whose rows are all of its own now.
    void raise(std::int32_t root, std::int32_t branch) {
        ++n_raised_;
        Pieces rows = spreads_ ? rows_at(root) : rows_of_others(root, branch);
        for (const std::int32_t child : at(root).children) {
            if (child != branch) at(child).pieces = {};
        }
        if (spreads_) {
            send_down(branch, std::move(rows), Purpose::kMove);
        } else {
            for (const Piece& piece : rows) {
                const std::size_t k = class_of(piece);
                const std::int32_t leaf = walk(branch, piece, [&](std::int32_t passed) {
                    Node& node = at(passed);
                    node.changed = true;
                    ++node.n_rows;
                    counts(passed)[k] += piece.weight;
                });
                at(leaf).pieces.push_back(piece);
            }
        }
        Node& taken = at(branch);
        Node& node = at(root);
        node.source = taken.source;
        node.leaf = taken.leaf;
        node.pieces = std::move(taken.pieces);
        std::vector<std::int32_t> children = std::move(taken.children);
        node.children = std::move(children);
        node.changed = true;
    }

    void prune() {
        struct Frame {
            std::int32_t node;
            std::size_t next;
        };
        std::vector<Frame> frames{{0, 0}};
        while (!frames.empty()) {
            const std::int32_t here = frames.back().node;
            if (at(here).leaf) {
                at(here).estimate = estimate(counts(here));
                frames.pop_back();
                continue;
            }
            if (frames.back().next < at(here).children.size()) {
                const std::int32_t child = at(here).children[frames.back().next++];
                frames.push_back({child, 0});
                continue;
            }
            const double slack = rule_.slack;
            double subtree = 0;
            for (const std::int32_t child : at(here).children) subtree += at(child).estimate;
            const double as_leaf = estimate(counts(here));
            const std::int32_t branch = largest_branch(here);
            // On more rows the branch makes no fewer errors than on its own.
            if (as_leaf <= subtree + slack && as_leaf <= at(branch).estimate + slack) {
                make_leaf(here, as_leaf);
                frames.pop_back();
                continue;
            }
            const double enough = std::max(subtree, as_leaf <= subtree + slack ? as_leaf : 0.0) + slack;
            const double raised = raised_estimate(here, branch, enough);
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
            const std::vector<std::int32_t> children = at(order[i]).children;
            order.insert(order.end(), children.begin(), children.end());
        }
        for (const std::int32_t node : order) {
            out.source.push_back(at(node).source);
            out.leaf.push_back(at(node).leaf);
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
    std::vector<double> counts_;
    bool spreads_;
    int exponent_ = 0;
    std::int64_t n_raised_ = 0;
    std::vector<double> added_, both_;  // class weights that come to leaves in a trial
    std::vector<std::uint8_t> touched_;
    std::vector<std::int32_t> touched_list_, open_;
};

}  // namespace

Raised prune_and_raise(const Shape& shape, const Router& router, const RaisingRows& rows, const RaisingRule& rule,
                       std::span<const double> counts, std::span<const std::int64_t> n_rows) {
    return Raising(shape, router, rows, rule, counts, n_rows).run();
}

}  // namespace boxwood::pruning
