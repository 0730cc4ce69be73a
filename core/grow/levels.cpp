#include "grow/levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "grow/engine.hpp"

namespace boxwood {
namespace {

template <bool kUnit>
class LevelsOf final : public Levels {
  public:
    LevelsOf(const Problem& problem, const Options& options)
        : options_(options),
          monitor_(nullptr),
          team_(std::max<std::size_t>(1, options.n_threads)),
          growth_{options_, problem.columns, problem.n_classes, total_weight(problem), logs_, monitor_},
          engine_(growth_,
                  Sample<std::uint32_t>(rank_columns<std::uint32_t>(problem.columns, problem.n_rows, team_, monitor_),
                                        problem.target, problem.n_classes, problem.weights, team_),
                  all_features(problem.columns.size()), team_, 0) {
        Node root = engine_.root(0, mix(options.seed));
        if (!engine_.ends(root)) open_.push_back(std::move(root));
    }

    std::size_t open() const override { return open_.size(); }

    const Gathered& gather() override {
        gathered_ = {};
        places_.clear();
        gathered_.n_branches = options_.missing == MissingMode::kBranch ? 3 : 2;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            const auto facts = engine_.facts_of(open_[i]);
            gathered_.totals.insert(gathered_.totals.end(), facts.total.begin(), facts.total.end());
            if (!engine_.draws()) {
                for (std::size_t feature = 0; feature < growth_.columns.size(); ++feature)
                    gather_feature(facts, i, feature);
                continue;
            }
            Draw draw(growth_.columns.size(), open_[i].key);
            std::vector<std::size_t> drawn;
            while (!draw.empty() && (drawn.size() < options_.max_features || !splittable(facts, drawn))) {
                drawn.push_back(draw.next());
            }
            std::sort(drawn.begin(), drawn.end());
            for (const std::size_t feature : drawn) gather_feature(facts, i, feature);
        }
        return gathered_;
    }

    void take(std::span<const double> scores, std::span<const double> gains,
              std::span<const double> tolerance) override {
        if (scores.size() != places_.size() || gains.size() != places_.size()) {
            throw std::invalid_argument("scores and gains must have one entry per candidate");
        }
        if (tolerance.size() != open_.size())
            throw std::invalid_argument("tolerance must have one entry per open node");
        std::vector<Node> level = std::move(open_);
        open_.clear();
        std::size_t first = 0;
        for (std::size_t i = 0; i < level.size(); ++i) {
            std::size_t last = first;
            double best = -std::numeric_limits<double>::infinity();
            for (; last < places_.size() && places_[last].node == i; ++last)
                best = std::max(best, finite(scores[last]));
            std::size_t chosen = first;
            while (chosen < last && !(finite(scores[chosen]) >= best - tolerance[i])) ++chosen;
            const bool splits = chosen < last && std::isfinite(best) && engine_.enough(level[i], gains[chosen]);
            if (splits) {
                Split split = split_at(level[i], places_[chosen]);
                split.gain = gains[chosen];
                split.score = scores[chosen];
                if (options_.max_leaf_nodes > 0) {
                    const double worth = engine_.weight_of(level[i]) * split.gain;
                    waiting_.push({worth, turn_++, std::make_shared<Node>(std::move(level[i])),
                                   std::make_shared<Split>(std::move(split))});
                } else {
                    divide(level[i], split);
                }
            }
            first = last;
        }
        if (options_.max_leaf_nodes > 0) divide_best();
    }

    GrownTree finish() override { return breadth_first(engine_.output()); }

  private:
    using Node = typename Engine<std::uint32_t, kUnit>::Node;
    struct Place {
        std::size_t node, feature, ordinal;  // which of the feature's candidates
    };
    using Waiting = typename Engine<std::uint32_t, kUnit>::Waiting;

    static double finite(double score) { return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score; }
    static double total_weight(const Problem& problem) {
        return problem.weights.empty() ? static_cast<double>(problem.n_rows)
                                       : std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
    }
    static std::vector<std::size_t> all_features(std::size_t n) {
        std::vector<std::size_t> features(n);
        std::iota(features.begin(), features.end(), std::size_t{0});
        return features;
    }

    template <class Facts>
    void gather_feature(const Facts& facts, std::size_t node, std::size_t feature) {
        std::size_t ordinal = 0;
        engine_.candidates().each(facts, feature, nullptr, engine_.space(), [&](const Candidate& candidate) {
            for (std::size_t branch = 0; branch < gathered_.n_branches; ++branch) {
                if (branch < candidate.n_branches) {
                    gathered_.counts.insert(gathered_.counts.end(), candidate.counts[branch].begin(),
                                            candidate.counts[branch].end());
                } else {
                    gathered_.counts.insert(gathered_.counts.end(), growth_.n_classes, 0.0);
                }
            }
            gathered_.node.push_back(static_cast<std::int32_t>(node));
            gathered_.feature.push_back(static_cast<std::int32_t>(feature));
            places_.push_back({node, feature, ordinal++});
            return false;
        });
    }

    template <class Facts>
    bool splittable(const Facts& facts, std::span<const std::size_t> features) {
        bool some = false;
        for (const std::size_t feature : features) {
            engine_.candidates().each(facts, feature, nullptr, engine_.space(),
                                      [&](const Candidate&) { return some = true; });
            if (some) return true;
        }
        return false;
    }

    Split split_at(const Node& node, const Place& place) {
        Split split;
        const auto facts = engine_.facts_of(node);
        std::size_t ordinal = 0;
        engine_.candidates().each(facts, place.feature, nullptr, engine_.space(), [&](const Candidate& candidate) {
            if (ordinal++ != place.ordinal) return false;
            engine_.candidates().accept(facts, place.feature, candidate, engine_.space(), split);
            return true;
        });
        return split;
    }

    void divide(Node& node, const Split& split) {
        engine_.divide(node, split, children_);
        for (Node& child : children_) {
            if (!engine_.ends(child)) open_.push_back(std::move(child));
        }
    }

    void divide_best() {
        while (!waiting_.empty() && open_.empty()) {
            const Waiting next = waiting_.top();
            waiting_.pop();
            const auto more = static_cast<std::int64_t>(next.split->n_branches) - 1;
            if (leaves_ + more > options_.max_leaf_nodes) continue;
            leaves_ += more;
            divide(*next.node, *next.split);
        }
    }

    const Options options_;
    Monitor monitor_;
    Team team_;
    LogTable logs_;
    Growth growth_;
    Engine<std::uint32_t, kUnit> engine_;
    std::vector<Node> open_, children_;
    Gathered gathered_;
    std::vector<Place> places_;
    std::priority_queue<Waiting> waiting_;
    std::size_t turn_ = 0;
    std::int64_t leaves_ = 1;
};

}  // namespace

std::unique_ptr<Levels> grow_by_level(const Problem& problem, const Options& options) {
    check(problem);
    if (problem.weights.empty()) return std::make_unique<LevelsOf<true>>(problem, options);
    return std::make_unique<LevelsOf<false>>(problem, options);
}

}  // namespace boxwood
