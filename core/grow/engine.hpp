// Grows a (sub)tree on a Sample: choose a split, partition, go on.
//
// Choosing: every feature is searched (threads over features when the node is
// large); those within the slack of the best are settled by the judges. What a
// feature's search may skip is below what another feature has reached already,
// by more than the slack, so the choice does not depend on the order or on
// threads.
//
// Order of growth: depth-first, or best-first under a limit of leaves. Columns
// that are constant at a node are constant below it: depth-first growth neither
// searches nor partitions them again (the features still active are a prefix of
// `order_`, whose set two siblings share).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <queue>
#include <vector>

#include "grow/output.hpp"
#include "grow/random.hpp"
#include "grow/searcher.hpp"
#include "select/selection.hpp"
#include "threads/monitor.hpp"
#include "threads/team.hpp"

namespace boxwood {

// What all engines of one growth share.
struct Growth {
    const Options& options;
    std::span<const Column> columns;
    std::size_t n_classes;
    double total_weight;
    const LogTable& logs;
    Monitor& monitor;
};

template <class Index, bool kUnit>
class Engine {
  public:
    struct Node {
        std::size_t begin = 0, end = 0, record = 0;
        std::int64_t depth = 0;
        std::size_t n_active = 0;
        std::uint64_t key = 0;
        std::shared_ptr<Histogram<kUnit>> histogram;
        std::size_t rows() const { return end - begin; }
    };

    // A node whose best split is known, in best-first growth: that of largest worth is divided next.
    struct Waiting {
        double worth;  // weight times gain
        std::size_t turn;
        std::shared_ptr<Node> node;
        std::shared_ptr<Split> split;
        bool operator<(const Waiting& other) const {
            return worth != other.worth ? worth < other.worth : turn > other.turn;
        }
    };

    Engine(const Growth& growth, Sample<Index>&& sample, std::vector<std::size_t> features, Team& team,
           std::size_t member)
        : growth_(growth),
          options_(growth.options),
          sample_(std::move(sample)),
          plan_(*sample_.columns, growth.n_classes),
          searcher_(sample_, growth.columns, growth.n_classes, growth.options, plan_),
          output_(std::make_unique<Output>(growth.n_classes)),
          order_(std::move(features)),
          found_(sample_.columns->size()),
          place_(sample_.columns->size(), kNowhere),
          spare_(team.size()),
          team_(team),
          alone_(1),
          member_(member) {
        for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
        for (std::size_t i = 0; i < team.size(); ++i) spaces_.emplace_back(growth.logs);
        draws_ = options_.max_features < sample_.columns->size();
    }

    const Sample<Index>& sample() const { return sample_; }
    const std::vector<std::size_t>& order() const { return order_; }
    Output& output() { return *output_; }
    std::unique_ptr<Output> take_output() { return std::move(output_); }

    // The node of all rows, with its record.
    Node root(std::int64_t depth, std::uint64_t key) {
        std::vector<double> counts(growth_.n_classes, 0.0);
        double weight = 0;
        for (std::size_t row = 0; row < sample_.n_rows; ++row) {
            counts[sample_.label(row)] += sample_.weight_of(row);
            weight += sample_.weight_of(row);
        }
        Node node{0, sample_.n_rows, 0, depth, order_.size(), key, nullptr};
        node.record = output_->add(counts, static_cast<std::int64_t>(sample_.n_rows), weight,
                                   impurity(options_.criterion, counts, weight));
        if (!ends(node)) count_histogram(node);
        return node;
    }

    // A node that is a leaf whatever its splits.
    bool ends(const Node& node) const {
        const Record& record = output_->records[node.record];
        const auto counts = output_->counts_of(node.record);
        if (node.depth >= options_.max_depth || record.n_rows < options_.min_samples_split ||
            record.n_rows < 2 * options_.min_samples_leaf || record.weight < 2 * options_.min_weight_leaf) {
            return true;
        }
        return std::count_if(counts.begin(), counts.end(), [](double c) { return c > 0; }) <= 1;
    }

    // Depth-first. A node for which apart(node) is true is left to the caller, who has kept it.
    template <class Apart>
    void grow_depth_first(Node root, Apart apart) {
        std::vector<Node> open;
        open.push_back(std::move(root));
        std::vector<Node> children;
        while (!open.empty()) {
            Node node = std::move(open.back());
            open.pop_back();
            const auto rows = static_cast<std::int64_t>(node.rows());
            growth_.monitor.tick(member_, rows * static_cast<std::int64_t>(node.n_active) + 100);
            if (ends(node) || growth_.monitor.stopped()) {
                growth_.monitor.settle(rows);
                continue;
            }
            if (apart(node)) continue;
            Split split;
            if (!choose(node, split, true)) {
                growth_.monitor.settle(rows);
                continue;
            }
            divide(node, split, children);
            for (std::size_t i = children.size(); i-- > 0;) open.push_back(std::move(children[i]));
        }
    }

    // Best-first: the open node whose split removes most impurity, by weight, is divided next.
    void grow_best_first(Node root, std::int64_t max_leaves) {
        std::priority_queue<Waiting> waiting;
        std::size_t turn = 0;
        const auto consider = [&](Node&& node) {
            const auto rows = static_cast<std::int64_t>(node.rows());
            growth_.monitor.tick(member_, rows * static_cast<std::int64_t>(node.n_active) + 100);
            Split split;
            if (ends(node) || growth_.monitor.stopped() || !choose(node, split, false)) {
                growth_.monitor.settle(rows);
                return;
            }
            const double worth = output_->records[node.record].weight * split.gain;
            waiting.push(
                {worth, turn++, std::make_shared<Node>(std::move(node)), std::make_shared<Split>(std::move(split))});
        };
        consider(std::move(root));
        std::int64_t leaves = 1;
        std::vector<Node> children;
        while (!waiting.empty() && !growth_.monitor.stopped()) {
            const Waiting next = waiting.top();
            const auto more = static_cast<std::int64_t>(next.split->n_branches) - 1;
            waiting.pop();
            if (leaves + more > max_leaves) continue;  // a three-way split may be too wide where a two-way one fits
            leaves += more;
            divide(*next.node, *next.split, children);
            for (Node& child : children) consider(std::move(child));
        }
    }

    // The features that can still be split below a node.
    std::span<const std::size_t> active(const Node& node) const { return {order_.data(), node.n_active}; }

    // --- for growth by level ------------------------------------------------------------------

    using Facts = NodeFacts<kUnit>;
    bool draws() const { return draws_; }
    const Candidates<Index, kUnit>& candidates() const { return searcher_.candidates(); }
    Scratch<kUnit>& space() { return spaces_[0]; }
    double weight_of(const Node& node) const { return output_->records[node.record].weight; }

    // Does a gain satisfy min_impurity_decrease?
    bool enough(const Node& node, double gain) const {
        return options_.min_impurity_decrease <= 0 ||
               weight_of(node) / growth_.total_weight * gain + std::numeric_limits<double>::epsilon() >=
                   options_.min_impurity_decrease;
    }

    Facts facts_of(const Node& node) const {
        const Record& record = output_->records[node.record];
        Facts facts;
        facts.begin = node.begin;
        facts.end = node.end;
        facts.total = output_->counts_of(node.record);
        facts.weight = record.weight;
        facts.impurity = record.impurity;
        facts.histogram = node.histogram.get();
        searcher_.fill_bounds(facts);
        return facts;
    }

    // Writes the split down and makes the children; those that are open have their rows in place.
    void divide(Node& node, const Split& split, std::vector<Node>& children) {
        children.clear();
        write_split(output_->records[node.record], split);
        output_->records[node.record].first_child = output_->records.size();
        std::size_t begin = node.begin;
        bool some_open = false;
        for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
            const std::span<const double> counts(split.counts.data() + branch * growth_.n_classes, growth_.n_classes);
            Node child{begin,
                       begin + static_cast<std::size_t>(split.rows[branch]),
                       0,
                       node.depth + 1,
                       node.n_active,
                       child_key(node.key, branch),
                       nullptr};
            begin = child.end;
            child.record = output_->add(counts, split.rows[branch], split.weight[branch],
                                        impurity(options_.criterion, counts, split.weight[branch]));
            some_open |= !ends(child);
            children.push_back(std::move(child));
        }
        if (!some_open) return;
        const Facts facts = facts_of(node);
        searcher_.assign_branches(facts, split, sample_.branch);
        slots_.clear();
        for (std::size_t i = 0; i < node.n_active; ++i) {
            const RankedColumn& column = (*sample_.columns)[order_[i]];
            if (!column.coded) slots_.push_back(column.slot);
        }
        sample_.partition(node.begin, node.end, split.n_branches, slots_, team_for(node.rows(), slots_.size()), spare_);
        give_histograms(node, children);
    }

  private:
    static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

    Team& team_for(std::size_t rows, std::size_t lists) {
        return team_.size() > 1 && rows * lists > 40'000 ? team_ : alone_;
    }

    // The best split of a node; false: it is a leaf. With `retire`, constant features leave the active ones.
    bool choose(Node& node, Split& split, bool retire) {
        Facts facts = facts_of(node);
        if (sample_.n_coded > 0 && histogram_columns(node) < sample_.n_coded) {
            labels_.resize(node.rows());
            for (std::size_t i = 0; i < labels_.size(); ++i) {
                labels_[i] = static_cast<std::uint16_t>(sample_.label(sample_.rows[node.begin + i]));
            }
            facts.labels = labels_;
        }
        examined_.clear();
        if (draws_) {
            draw_features(facts, node);
        } else {
            for (std::size_t i = 0; i < node.n_active; ++i) examined_.push_back(order_[i]);
            search(facts, examined_);
        }
        if (retire) {
            for (const std::size_t feature : examined_) {
                if (found_[feature].constant) swap_places(feature, order_[--node.n_active]);
            }
        }
        if (!(options_.criterion == Criterion::kGainRatio ? choose_by_ratio(facts, split)
                                                          : choose_by_gain(facts, split))) {
            return false;
        }
        return enough(node, split.gain);
    }

    void swap_places(std::size_t a, std::size_t b) {
        std::swap(order_[place_[a]], order_[place_[b]]);
        std::swap(place_[a], place_[b]);
    }

    void search(const Facts& facts, std::span<const std::size_t> features) {
        // Gain ratio compares every feature's best; gain needs those near the best of all.
        const bool use_floor = options_.criterion != Criterion::kGainRatio;
        std::atomic<double> floor{-std::numeric_limits<double>::infinity()};
        team_for(facts.end - facts.begin, features.size())
            .each(features.size(), [&](std::size_t i, std::size_t member) {
                const std::size_t feature = features[i];
                const double reached = floor.load(std::memory_order_relaxed);
                Found& found = found_[feature];
                found = searcher_.search(facts, feature, spaces_[member], reached);
                if (!use_floor) return;
                for (double now = reached; found.value > now && !floor.compare_exchange_weak(now, found.value);) {
                }
            });
    }

    // max_features at random; more, one by one, until one of them can be split.
    void draw_features(const Facts& facts, const Node& node) {
        Draw draw(sample_.columns->size(), node.key);
        std::vector<std::size_t> batch;
        for (std::size_t i = 0; i < options_.max_features && !draw.empty(); ++i)
            take_if_active(draw.next(), node, batch);
        for (;;) {
            search(facts, batch);
            examined_.insert(examined_.end(), batch.begin(), batch.end());
            const bool some = std::any_of(examined_.begin(), examined_.end(),
                                          [&](std::size_t feature) { return found_[feature].feasible; });
            if (some || draw.empty()) return;
            batch.clear();
            while (batch.empty() && !draw.empty()) take_if_active(draw.next(), node, batch);
        }
    }
    void take_if_active(std::size_t feature, const Node& node, std::vector<std::size_t>& batch) const {
        if (place_[feature] < node.n_active) batch.push_back(feature);
    }

    bool choose_by_gain(const Facts& facts, Split& split) {
        double best = -std::numeric_limits<double>::infinity();
        for (const std::size_t feature : examined_) best = std::max(best, found_[feature].value);
        if (!(best > -std::numeric_limits<double>::infinity())) return false;
        near_.clear();
        for (const std::size_t feature : examined_) {
            if (found_[feature].feasible && found_[feature].value >= best - facts.slack) near_.push_back(feature);
        }
        std::sort(near_.begin(), near_.end());
        settle(facts, near_, best, split);
        split.score = split.gain;
        return split.kind != Kind::kLeaf;
    }

    // The first of these features' candidates that ties with the best of them. `value`: the best that the
    // searches found.
    void settle(const Facts& facts, std::span<const std::size_t> features, double value, Split& split) {
        Scratch<kUnit>& space = spaces_[0];
        double met = 0;
        const double low = (value - facts.error) / facts.weight - facts.tolerance();
        const Found& first = found_[features[0]];
        if (features.size() == 1 && !first.tie) {
            split = searcher_.judge(facts, features[0], low, &first, space, met);
            if (split.kind != Kind::kLeaf) return;
        }
        const double high = (value + facts.error) / facts.weight - facts.tolerance();
        for (const std::size_t feature : features) {
            split = searcher_.judge(facts, feature, low, nullptr, space, met);
            if (split.kind == Kind::kLeaf) continue;
            if (split.gain >= high) return;
            break;  // too near to call: find the best gain first
        }
        double best = -std::numeric_limits<double>::infinity();
        for (const std::size_t feature : features) {
            searcher_.judge(facts, feature, std::numeric_limits<double>::infinity(), nullptr, space, met);
            best = std::max(best, met);
        }
        for (const std::size_t feature : features) {
            split = searcher_.judge(facts, feature, best - facts.tolerance(), nullptr, space, met);
            if (split.kind != Kind::kLeaf) return;
        }
    }

    bool choose_by_ratio(const Facts& facts, Split& split) {
        std::sort(examined_.begin(), examined_.end());
        std::vector<Split> splits;
        std::vector<double> gains, ratios;
        for (const std::size_t feature : examined_) {
            if (!found_[feature].feasible) continue;
            Split& candidate = splits.emplace_back();
            settle(facts, {&feature, 1}, found_[feature].value, candidate);
            if (candidate.kind == Kind::kLeaf) {
                splits.pop_back();
                continue;
            }
            const double information = split_information({candidate.weight.data(), candidate.n_branches}, facts.weight);
            gains.push_back(candidate.gain);
            ratios.push_back(candidate.gain / information);
        }
        if (splits.empty()) return false;
        const std::size_t winner = best_ratio(gains, ratios, facts.tolerance());
        split = std::move(splits[winner]);
        split.score = ratios[winner];
        return true;
    }

    void write_split(Record& record, const Split& split) {
        record.kind = split.kind;
        record.feature = static_cast<std::int32_t>(split.feature);
        record.threshold = split.threshold;
        record.n_children = static_cast<std::uint32_t>(split.n_branches);
        record.missing_branch = split.missing_branch;
        record.score = split.score;
        record.unknown_branch = unknown_branch(split);
        record.category_begin = output_->category_code.size();
        output_->category_code.insert(output_->category_code.end(), split.category_code.begin(),
                                      split.category_code.end());
        output_->category_branch.insert(output_->category_branch.end(), split.category_branch.begin(),
                                        split.category_branch.end());
        record.category_end = output_->category_code.size();
    }

    std::int32_t unknown_branch(const Split& split) const {
        if (split.kind == Kind::kThreshold) return split.missing_branch;
        if (split.kind == Kind::kIsMissing) return options_.unknown == UnknownRule::kMissing ? 0 : 1;
        switch (options_.unknown) {
            case UnknownRule::kMissing: return split.missing_branch;
            case UnknownRule::kStop: return kStop;
            case UnknownRule::kError: return kError;
            case UnknownRule::kMajority: break;
        }
        const auto* heaviest = std::max_element(split.weight.begin(), split.weight.begin() + split.n_branches);
        return static_cast<std::int32_t>(heaviest - split.weight.begin());
    }

    std::size_t histogram_columns(const Node& node) const {
        return draws_ || !options_.histograms ? 0 : plan_.columns_for(node.rows());
    }

    void count_histogram(Node& node) {
        const std::size_t n_columns = histogram_columns(node);
        if (n_columns > 0) node.histogram = count_columns(node, n_columns);
    }
    std::shared_ptr<Histogram<kUnit>> count_columns(const Node& node, std::size_t n_columns) {
        auto histogram = std::make_shared<Histogram<kUnit>>();
        histogram->n_columns = n_columns;
        histogram->count(plan_, sample_, node.begin, node.end, growth_.n_classes, team_);
        return histogram;
    }

    void give_histograms(Node& node, std::vector<Node>& children) {
        if (!node.histogram) return;
        if (children.size() == 2) {
            Node& small = children[0].rows() <= children[1].rows() ? children[0] : children[1];
            Node& large = &small == &children[0] ? children[1] : children[0];
            const std::size_t wanted = ends(large) ? 0 : histogram_columns(large);
            if (wanted > 0) {
                const auto counted = count_columns(small, wanted);
                if (!ends(small) && histogram_columns(small) > 0) small.histogram = counted;
                large.histogram = std::make_shared<Histogram<kUnit>>();
                large.histogram->n_columns = wanted;
                large.histogram->subtract(plan_, *node.histogram, *counted);
                node.histogram.reset();
                return;
            }
        }
        node.histogram.reset();
        for (Node& child : children) {
            if (!ends(child)) count_histogram(child);
        }
    }

    const Growth& growth_;
    const Options& options_;
    Sample<Index> sample_;
    HistogramPlan plan_;
    Searcher<Index, kUnit> searcher_;
    std::unique_ptr<Output> output_;
    std::vector<std::size_t> order_;  // features; those still active at a node are a prefix
    std::vector<Found> found_;        // by feature
    std::vector<std::size_t> place_;  // of a feature in order_
    std::vector<Scratch<kUnit>> spaces_;
    std::vector<Buffer<Item<Index>>> spare_;
    std::vector<std::size_t> examined_, near_, slots_;
    std::vector<std::uint16_t> labels_;  // of the node being split
    Team& team_;
    Team alone_;
    std::size_t member_;
    bool draws_ = false;
};

}  // namespace boxwood
