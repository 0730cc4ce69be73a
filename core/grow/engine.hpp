// Grows a (sub)tree on a Sample: choose a split, partition, go on.
//
// The engine knows nothing of classes or numbers: what a split is worth, it asks a
// Searcher (searcher.hpp for classes, regression/searcher.hpp for numbers):
//     Index, Facts, Space       types: of row numbers; a node as its searches see it; scratch room of a thread
//     Memory                    what a node keeps for the searches of its children (histograms, or nothing)
//     With<Index>               the same searcher for other row numbers
//     n_sums()                  how many numbers describe a node (class counts; sums and the answer)
//     kRegression               are these the sums of a regression?
//     total(sums, weight)       those of all rows
//     impurity(sums, weight)    of all rows, given those; impurity_of(split, branch) of a branch
//     pure(sums, impurity)      is such a node a leaf whatever its splits?
//     value(sums, weight)       what a monotonic constraint is about
//     facts(place)              of a node
//     prepare(facts, features)  before the searches of a node
//     associate                 how strongly a feature goes with the target, see select/screening.hpp
//     search, judge             the best candidate of a feature, quickly; the candidates one by one, exactly
//     kApart                    nodes of at most so many rows are better grown on a sample of their own, see run.hpp
//     kFull                     without a limit, trees mostly end in leaves of the fewest rows that are allowed
//     kBounds, bounds, bound    whether bounds of a feature's candidates may be had for less than a search
//     remember, inherit         make the Memory of a root; of children from their parent's
//     kSmall, grow_small        nodes of so many rows may be grown to their leaves by the searcher; 0: none
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
#include <numeric>
#include <queue>
#include <vector>

#include "criteria/criterion.hpp"
#include "data/ranks.hpp"
#include "grow/assign.hpp"
#include "grow/options.hpp"
#include "grow/output.hpp"
#include "grow/place.hpp"
#include "grow/random.hpp"
#include "grow/sample.hpp"
#include "grow/split.hpp"
#include "grow/surrogates.hpp"
#include "search/found.hpp"
#include "select/screening.hpp"
#include "select/selection.hpp"
#include "select/stopping.hpp"
#include "threads/monitor.hpp"
#include "threads/team.hpp"

namespace boxwood {

template <class Searcher>
class Engine {
  public:
    using Index = typename Searcher::Index;
    using Facts = typename Searcher::Facts;
    using Space = typename Searcher::Space;
    struct Node {
        std::size_t begin = 0, end = 0, record = 0;
        std::int64_t depth = 0;
        std::size_t n_active = 0;
        std::uint64_t key = 0;
        Bounds bounds;  // of the values below, under monotonic constraints
        typename Searcher::Memory memory{};
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

    // With `output`, the tree is written there, below a record that it has; see root().
    Engine(const Growth& growth, Sample<Index>&& sample, std::vector<std::size_t> features, Team& team,
           std::size_t member, Output* output = nullptr)
        : growth_(growth),
          options_(growth.options),
          sample_(std::move(sample)),
          searcher_(growth, sample_),
          own_output_(output == nullptr ? std::make_unique<Output>(searcher_.n_sums()) : nullptr),
          output_(output == nullptr ? own_output_.get() : output),
          order_(std::move(features)),
          found_(sample_.columns->size()),
          place_(sample_.columns->size(), kNowhere),
          spare_(team.size()),
          team_(team),
          alone_(1),
          member_(member) {
        for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
        for (std::size_t i = 0; i < team.size(); ++i) spaces_.emplace_back(growth);
        draws_ = options_.max_features < sample_.columns->size();
    }

    const Sample<Index>& sample() const { return sample_; }
    const std::vector<std::size_t>& order() const { return order_; }
    Output& output() { return *output_; }
    std::unique_ptr<Output> take_output() { return std::move(own_output_); }
    // Gives the lists back, as they were made: by all threads. Nothing can be grown any more.
    void release() {
        team_.each(sample_.sorted.size(), [&](std::size_t i, std::size_t) { sample_.sorted[i] = {}; });
    }

    // The node of all rows, with a record of its own.
    Node root(std::int64_t depth, std::uint64_t key, const Bounds& bounds = {}) {
        std::vector<double> sums;
        double weight = 0;
        searcher_.total(sums, weight);
        const auto n_rows = static_cast<std::int64_t>(sample_.n_rows);
        return root(output_->add(sums, n_rows, weight, searcher_.impurity(sums, weight)), depth, key, bounds);
    }
    // The same, with a record that stands already.
    Node root(std::size_t record, std::int64_t depth, std::uint64_t key, const Bounds& bounds) {
        Node node;
        node.end = sample_.n_rows;
        node.record = record;
        node.depth = depth;
        node.n_active = order_.size();
        node.key = key;
        node.bounds = bounds;
        if (!ends(node)) searcher_.remember(node.memory, node.begin, node.end, team_);
        return node;
    }

    // A node that is a leaf whatever its splits.
    bool ends(const Node& node) const {
        const Record& record = output_->records[node.record];
        return ends_by_size(options_, node.depth, record.n_rows, record.weight) ||
               searcher_.pure(output_->sums_of(node.record), record.impurity);
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
            if constexpr (Searcher::kSmall > 0) {
                if (node.rows() <= Searcher::kSmall &&
                    searcher_.grow_small(place_of(node), node.depth, node.record, active(node), *output_)) {
                    growth_.monitor.settle(rows);
                    continue;
                }
            }
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
            if (leaves + more > max_leaves) continue;  // a split of many branches may be too wide where one of two fits
            leaves += more;
            divide(*next.node, *next.split, children);
            for (Node& child : children) consider(std::move(child));
        }
    }

    // The features that can still be split below a node.
    std::span<const std::size_t> active(const Node& node) const { return {order_.data(), node.n_active}; }

    // --- which features may be searched, see select/screening.hpp -----------------------------

    // Tests features at a node, after so many others: passed().
    void test(const Facts& facts, std::span<const std::size_t> features, std::size_t n_before = 0) {
        associations_.resize(sample_.columns->size());
        team_for(facts.end - facts.begin, features.size())
            .each(features.size(), [&](std::size_t i, std::size_t member) {
                associations_[features[i]] = searcher_.associate(facts, features[i], spaces_[member]);
            });
        n_tests_ = n_before +
                   static_cast<std::size_t>(std::count_if(features.begin(), features.end(), [&](std::size_t feature) {
                       return !associations_[feature].constant;
                   }));
        screen(options_.screening, features, associations_, n_tests_, passed_);
    }
    const std::vector<std::size_t>& passed() const { return passed_; }
    std::span<const Association> associations() const { return associations_; }
    double p_value(std::size_t feature) const {
        return adjusted_p(options_.screening, associations_[feature], n_tests_);
    }

    // --- for growth by level ------------------------------------------------------------------

    bool draws() const { return draws_; }
    const Searcher& searcher() const { return searcher_; }
    Space& space(std::size_t member) { return spaces_[member]; }
    double weight_of(const Node& node) const { return output_->records[node.record].weight; }

    // Does a gain satisfy min_impurity_decrease?
    bool enough(const Node& node, double gain) const { return enough_gain(growth_, weight_of(node), gain); }

    // Do the tests of the chosen split allow it? `n_cuts`: of its column, if that is numeric.
    bool passes(const Split& split, std::int64_t n_cuts) const {
        if constexpr (Searcher::kRegression) {
            return true;
        } else {
            double n_choices = 1;
            if (split.kind == Kind::kThreshold) n_choices = static_cast<double>(std::max<std::int64_t>(1, n_cuts));
            if (split.kind == Kind::kSubset) n_choices = bipartitions(split.category_code.size());
            const BranchTable table{split.sums, {split.weight.data(), split.n_branches}, growth_.unit};
            return options_.stopping.allows(table, growth_.columns.size(), n_choices);
        }
    }

    Facts facts_of(const Node& node) const { return searcher_.facts(place_of(node), node.memory); }

    // Writes the split down and makes the children; those that are open have their rows in place.
    void divide(Node& node, const Split& split, std::vector<Node>& children) {
        children.clear();
        write_split(output_->records[node.record], split);
        output_->list_categories(node.record, split.category_code, split.category_branch);
        output_->note_p_value(node.record, split.p_value);
        output_->list_surrogates(node.record, split.surrogates);
        output_->records[node.record].first_child = static_cast<std::uint32_t>(output_->records.size());
        std::size_t begin = node.begin;
        bool some_open = false;
        for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
            Node child;
            child.begin = begin;
            child.end = begin + static_cast<std::size_t>(split.rows[branch]);
            child.depth = node.depth + 1;
            child.n_active = node.n_active;
            child.key = child_key(node.key, branch);
            child.bounds = bounds_below(node, split, branch);
            begin = child.end;
            child.record = output_->add(split.sums_of(branch), split.rows[branch], split.weight[branch],
                                        searcher_.impurity_of(split, branch));
            some_open |= !ends(child);
            children.push_back(std::move(child));
        }
        if (!some_open) return;
        slots_.clear();
        for (std::size_t i = 0; i < node.n_active; ++i) {
            const RankedColumn& column = (*sample_.columns)[order_[i]];
            if (!column.coded && !(order_[i] == split.feature && stands_divided(node, split, column))) {
                slots_.push_back(column.slot);
            }
        }
        if (split.n_branches <= Split::kFew) {
            assign(node, split);
            sample_.partition(node.begin, node.end, split.n_branches, slots_, team_for(node.rows(), slots_.size()),
                              spare_);
        } else {
            if (sample_.wide.empty()) sample_.wide.resize(sample_.n_rows);
            assign_branches(sample_, node.begin, node.end, split, sample_.wide, team_for(node.rows(), 1));
            starts_.clear();
            for (const Node& child : children) starts_.push_back(child.begin);
            sample_.scatter(node.begin, node.end, starts_, slots_, team_for(node.rows(), slots_.size()), spare_);
        }
        heirs_.clear();
        for (Node& child : children) heirs_.push_back({child.begin, child.end, !ends(child), &child.memory});
        searcher_.inherit(node.memory, heirs_, team_);
    }

  private:
    static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

    Place place_of(const Node& node) const {
        const Record& record = output_->records[node.record];
        return {node.begin, node.end,   output_->sums_of(node.record), record.weight, record.impurity,
                node.key,   node.bounds};
    }

    bool surrogates() const { return options_.missing == MissingMode::kSurrogate; }

    void assign(const Node& node, const Split& split) {
        Team& team = team_for(node.rows(), 1);
        if (surrogates()) {
            assign_with_surrogates(sample_, node.begin, node.end, split, growth_.columns, team);
        } else {
            assign_branches(sample_, node.begin, node.end, split, sample_.branch, team);
        }
    }

    // Is the list of the split's own column in the order of the branches as it is? Values ascend in it, and rows
    // without one stand at its end.
    bool stands_divided(const Node& node, const Split& split, const RankedColumn& column) const {
        if (split.kind != Kind::kThreshold) return false;
        return (split.missing_branch != 0 && !surrogates()) ||
               sample_.items_of(column, node.begin, node.end).back().rank != kNoRank<Index>;
    }

    Team& team_for(std::size_t rows, std::size_t lists) {
        return team_.size() > 1 && rows * lists > 40'000 ? team_ : alone_;
    }

    // The best split of a node; false: it is a leaf. With `retire`, constant features leave the active ones.
    bool choose(Node& node, Split& split, bool retire) {
        Facts facts = facts_of(node);
        searcher_.prepare(facts, active(node));
        examined_.clear();
        constant_.clear();
        n_tests_ = 0;
        if (draws_) {
            draw_features(facts, node);
        } else {
            look(facts, active(node));
        }
        for (const std::size_t feature : examined_) {
            output_->n_cuts += found_[feature].n_cuts;
            output_->n_evaluated += found_[feature].n_evaluated;
        }
        if (retire) {
            for (const std::size_t feature : examined_) {
                if (found_[feature].constant) swap_places(feature, order_[--node.n_active]);
            }
            for (const std::size_t feature : constant_) swap_places(feature, order_[--node.n_active]);
        }
        if (!(options_.measure.kind == Criterion::kGainRatio ? choose_by_ratio(facts, split)
                                                             : choose_by_gain(facts, split))) {
            return false;
        }
        if (options_.screening.kind != Select::kScore) split.p_value = p_value(split.feature);
        // Below, it is searched first: what it reaches there spares the others work.
        if (retire) swap_places(split.feature, order_[0]);
        if (!enough(node, split.gain)) return false;
        if constexpr (!Searcher::kRegression) {
            if (surrogates()) {
                complete_split(sample_, node.begin, node.end, active(node), options_.max_surrogates, growth_.columns,
                               split, team_for(node.rows(), node.n_active));
            }
        }
        return passes(split, found_[split.feature].n_cuts);
    }

    void swap_places(std::size_t a, std::size_t b) {
        std::swap(order_[place_[a]], order_[place_[b]]);
        std::swap(place_[a], place_[b]);
    }

    // Searches features, or those of them that pass the tests before a search.
    void look(const Facts& facts, std::span<const std::size_t> features) {
        if (options_.screening.kind == Select::kScore) {
            examined_.insert(examined_.end(), features.begin(), features.end());
            search(facts, features);
            return;
        }
        test(facts, features, n_tests_);
        for (const std::size_t feature : features) {
            if (associations_[feature].constant) constant_.push_back(feature);
        }
        if (options_.screening.kind == Select::kChi2Filter) {
            examined_.insert(examined_.end(), passed_.begin(), passed_.end());
            search(facts, passed_);
            return;
        }
        while (!passed_.empty()) {
            const std::size_t feature = take_most_significant(options_.screening, associations_, passed_);
            examined_.push_back(feature);
            search(facts, {&feature, 1});
            if (found_[feature].feasible) return;
        }
    }

    void search(const Facts& facts, std::span<const std::size_t> features) {
        // Gain ratio compares every feature's best; gain needs those near the best of all.
        const bool use_floor = options_.measure.kind != Criterion::kGainRatio;
        std::atomic<double> floor{-std::numeric_limits<double>::infinity()};
        Team& team = team_for(facts.end - facts.begin, features.size());
        bool bounded = false;
        if constexpr (Searcher::kBounds) bounded = use_floor && searcher_.bounds(facts);
        if (bounded) features = by_bound(facts, features, team);
        team.each(features.size(), [&](std::size_t i, std::size_t member) {
            const std::size_t feature = features[i];
            const double reached = floor.load(std::memory_order_relaxed);
            Found& found = found_[feature];
            if (bounded && found.value < reached - facts.slack) return;  // it cannot win
            found = searcher_.search(facts, feature, spaces_[member], reached);
            if (!use_floor) return;
            for (double now = reached; found.value > now && !floor.compare_exchange_weak(now, found.value);) {
            }
        });
    }

    // The features with a bound of their values each, in found_; the most promising first.
    std::span<const std::size_t> by_bound(const Facts& facts, std::span<const std::size_t> features, Team& team) {
        if constexpr (Searcher::kBounds) {
            team.each(features.size(),
                      [&](std::size_t i, std::size_t) { found_[features[i]] = searcher_.bound(facts, features[i]); });
        }
        promising_.assign(features.begin(), features.end());
        std::stable_sort(promising_.begin(), promising_.end(),
                         [&](std::size_t a, std::size_t b) { return found_[a].value > found_[b].value; });
        return promising_;
    }

    // max_features at random; more, one by one, until one of them can be split.
    void draw_features(const Facts& facts, const Node& node) {
        Draw draw(sample_.columns->size(), node.key);
        std::vector<std::size_t> batch;
        for (std::size_t i = 0; i < options_.max_features && !draw.empty(); ++i)
            take_if_active(draw.next(), node, batch);
        for (;;) {
            look(facts, batch);
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
        split.score = split.merit;
        return split.kind != Kind::kLeaf;
    }

    // The first of these features' candidates that ties with the best of them. `value`: the best that the
    // searches found.
    void settle(const Facts& facts, std::span<const std::size_t> features, double value, Split& split) {
        Space& space = spaces_[0];
        double met = 0;
        const double low = (value - facts.error) / facts.weight - facts.tolerance();
        const double high = (value + facts.error) / facts.weight - facts.tolerance();
        const Found& first = found_[features[0]];
        if (first.settled()) {
            split = searcher_.judge(facts, features[0], low, &first, space, met);
            if (split.kind != Kind::kLeaf && (features.size() == 1 || split.merit >= high)) return;
        }
        for (const std::size_t feature : features) {
            split = searcher_.judge(facts, feature, low, nullptr, space, met);
            if (split.kind == Kind::kLeaf) continue;
            if (split.merit >= high) return;
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
        near_.clear();
        for (const std::size_t feature : examined_) {
            if (found_[feature].feasible) near_.push_back(feature);
        }
        keep_plain_winner(facts);
        std::vector<Split> splits;
        std::vector<double> gains, ratios;
        for (const std::size_t feature : near_) {
            Split& candidate = splits.emplace_back();
            settle(facts, {&feature, 1}, found_[feature].value, candidate);
            if (candidate.kind == Kind::kLeaf) {
                splits.pop_back();
                continue;
            }
            const std::span<const double> parts{candidate.weight.data(), candidate.n_branches};
            const double whole = surrogates() ? std::accumulate(parts.begin(), parts.end(), 0.0) : facts.weight;
            const double information = split_information(parts, whole);
            gains.push_back(candidate.gain);
            ratios.push_back(candidate.gain / information);
        }
        if (splits.empty()) return false;
        const std::size_t winner = best_ratio(gains, ratios, facts.tolerance());
        split = std::move(splits[winner]);
        split.score = ratios[winner];
        return true;
    }

    // Settling every feature's split takes as long as searching for it, and mostly the values that the searches found
    // tell which feature wins, whatever their last digits are. Then only that one stays in near_.
    void keep_plain_winner(const Facts& facts) {
        if (surrogates()) return;  // the weights that the searches tell are those of known rows
        const double error = 4 * facts.slack / facts.weight + 1e-9 * facts.impurity;
        double average = 0;
        for (const std::size_t feature : near_) {
            if (found_[feature].least_left <= 0) return;
            average += found_[feature].value / facts.weight / static_cast<double>(near_.size());
        }
        std::size_t winner = 0;
        double most = -1;  // the least that the winner's ratio can be
        std::vector<double> highest;
        for (const std::size_t feature : near_) {
            const double gain = found_[feature].value / facts.weight;
            if (std::fabs(gain - average) <= error) return;
            if (gain < average) {
                highest.push_back(-1);
                continue;
            }
            const auto [least, most_information] = information_between(found_[feature], facts.weight);
            highest.push_back((gain + error) / least);
            if ((gain - error) / most_information > most) {
                most = (gain - error) / most_information;
                winner = feature;
            }
        }
        const auto rivals = std::count_if(highest.begin(), highest.end(), [&](double ratio) { return ratio >= most; });
        if (most > 0 && rivals == 1) near_.assign(1, winner);
    }

    // The least and the most split information of the candidates that a search cannot tell apart.
    static std::pair<double, double> information_between(const Found& found, double weight) {
        const auto of = [&](double left) { return split_information(std::array{left, weight - left}, weight); };
        const double a = of(found.least_left), b = of(found.most_left);
        const bool even = found.least_left <= weight / 2 && weight / 2 <= found.most_left;
        return {std::min(a, b), even ? 1.0 : std::max(a, b)};
    }

    void write_split(Record& record, const Split& split) {
        record.kind = split.kind;
        record.feature = static_cast<std::int32_t>(split.feature);
        record.threshold = split.threshold;
        record.n_children = static_cast<std::uint32_t>(split.n_branches);
        record.missing_branch = split.missing_branch;
        record.score = split.score;
        record.unknown_branch = unknown_branch(split);
    }

    std::int32_t unknown_branch(const Split& split) const {
        if (split.kind == Kind::kThreshold) return split.missing_branch;
        if (split.kind == Kind::kIsMissing) return options_.unknown == UnknownRule::kMissing ? 0 : 1;
        switch (options_.unknown) {
            case UnknownRule::kMissing: return split.missing_branch;
            case UnknownRule::kStop: return kStop;
            case UnknownRule::kError: return kError;
            case UnknownRule::kDistribute: return kSpread;
            case UnknownRule::kMajority: break;
        }
        return split.heaviest();
    }

    // What a monotonic constraint on the split's feature leaves to the values below a branch.
    Bounds bounds_below(const Node& node, const Split& split, std::size_t branch) const {
        const int sign = options_.monotonic.empty() ? 0 : options_.monotonic[split.feature];
        if (sign == 0 || split.kind != Kind::kThreshold || branch > 1) return node.bounds;
        const double left = searcher_.value(split.sums_of(0), split.weight[0]);
        const double right = searcher_.value(split.sums_of(1), split.weight[1]);
        const double middle = left / 2 + right / 2;
        const bool lower_side = (branch == 0) == (sign > 0);
        return lower_side ? Bounds{node.bounds.lower, middle} : Bounds{middle, node.bounds.upper};
    }

    const Growth& growth_;
    const Options& options_;
    Sample<Index> sample_;
    Searcher searcher_;
    std::unique_ptr<Output> own_output_;
    Output* output_;
    std::vector<std::size_t> order_;  // features; those still active at a node are a prefix
    std::vector<Found> found_;        // by feature
    std::vector<std::size_t> place_;  // of a feature in order_
    std::vector<Space> spaces_;
    std::vector<Stream<Item<Index>>> spare_;
    std::vector<std::size_t> examined_, near_, slots_, promising_, starts_, passed_, constant_;
    std::vector<Association> associations_;  // by feature, of the node that was tested last
    std::size_t n_tests_ = 0;
    std::vector<Heir<typename Searcher::Memory>> heirs_;
    Team& team_;
    Team alone_;
    std::size_t member_;
    bool draws_ = false;
};

}  // namespace boxwood
