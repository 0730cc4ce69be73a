#include "grow/levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "grow/engine.hpp"
#include "grow/searcher.hpp"

namespace boxwood {
namespace {

constexpr std::size_t kBatch = 4'000'000;  // candidates after which no further node joins the batch

double total_weight(const Problem& problem) {
    return problem.weights.empty() ? static_cast<double>(problem.n_rows)
                                   : std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
}

Sample<std::uint32_t> sample_of(const Problem& problem, Team& team, Monitor& monitor) {
    Sample<std::uint32_t> sample(rank_columns<std::uint32_t>(problem.columns, problem.n_rows, team, monitor),
                                 problem.weights, team);
    sample.set_labels(problem.target, problem.n_classes, team);
    return sample;
}

std::vector<std::size_t> all_features(std::size_t n) {
    std::vector<std::size_t> features(n);
    std::iota(features.begin(), features.end(), std::size_t{0});
    return features;
}

double finite(double score) {
    return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
}

template <bool kUnit>
class LevelsOf final : public Levels {
  public:
    LevelsOf(const Problem& problem, const Options& options, Monitor::Poll poll)
        : options_(options),
          monitor_(std::move(poll)),
          team_(std::max<std::size_t>(1, options.n_threads)),
          growth_{options_,
                  problem.columns,
                  problem.n_classes,
                  total_weight(problem),
                  tables_,
                  monitor_,
                  unit_of(total_weight(problem), problem.n_rows)},
          engine_(growth_, sample_of(problem, team_, monitor_), all_features(problem.columns.size()), team_, 0) {
        monitor_.begin(static_cast<std::int64_t>(problem.n_rows));
        open_if(engine_.root(0, mix(options.seed)));
    }

    std::size_t open() const override { return monitor_.stopped() ? 0 : open_.size(); }

    Gathered gather(BranchForm form) override {
        jobs_.clear();
        n_nodes_ = 0;
        std::size_t n_candidates = 0, done = 0;
        // A node's features are gathered together; nodes join until the batch is large.
        while (n_nodes_ < open_.size() && (n_nodes_ == 0 || n_candidates < kBatch)) {
            const std::size_t last = std::min(open_.size(), n_nodes_ + kNodesAtATime);
            for (; n_nodes_ < last; ++n_nodes_) add_jobs(n_nodes_);
            team_.each(jobs_.size() - done, [&](std::size_t i, std::size_t member) {
                Job& job = jobs_[done + i];
                gather_job(job, form, member);
                monitor_.tick(member, static_cast<std::int64_t>(open_[job.node].rows()) + 100);
            });
            for (; done < jobs_.size(); ++done) {
                Job& job = jobs_[done];
                job.first = n_candidates;
                n_candidates += job.n_candidates;
                engine_.output().n_cuts += job.n_cuts;
                engine_.output().n_evaluated += job.n_evaluated;
            }
        }
        return joined(form, n_candidates);
    }

    void take(std::span<const double> scores, std::span<const double> gains,
              std::span<const double> tolerance) override {
        if (scores.size() != n_candidates() || gains.size() != n_candidates()) {
            throw std::invalid_argument("scores and gains must have one entry per candidate");
        }
        if (tolerance.size() != n_nodes_) throw std::invalid_argument("tolerance must have one entry per open node");
        split_nodes(
            scores, [&](std::size_t candidate) { return gains[candidate]; },
            [&](std::size_t node) { return tolerance[node]; });
    }

    void take_impurities(std::span<const double> impurities, double tie) override {
        const std::size_t n = n_candidates(), branches = n_branches();
        if (impurities.size() != n * branches + n_nodes_) {
            throw std::invalid_argument("there must be one impurity per branch and one per open node");
        }
        const double* of_node = impurities.data() + n * branches;
        std::vector<double> gains(n);
        team_.each(jobs_.size(), [&](std::size_t j, std::size_t) {
            const Job& job = jobs_[j];
            for (std::size_t i = 0; i < job.n_candidates; ++i) {
                double after = 0;
                for (std::size_t branch = 0; branch < branches; ++branch) {
                    const double share = job.weights[i * branches + branch];
                    if (share > 0) after += share * impurities[(job.first + i) * branches + branch];
                }
                gains[job.first + i] = of_node[job.node] - after;
            }
        });
        split_nodes(
            gains, [&](std::size_t candidate) { return gains[candidate]; },
            [&](std::size_t node) { return tie * of_node[node]; });
    }

    GrownTree finish() override {
        return breadth_first(engine_.output(), false, options_.screening.kind != Select::kScore);
    }

  private:
    using OfClasses = Engine<ClassSearcher<std::uint32_t, kUnit>>;
    using Node = typename OfClasses::Node;
    using Waiting = typename OfClasses::Waiting;
    static constexpr std::size_t kNodesAtATime = 256;

    // The candidates of one feature of one open node.
    struct Job {
        std::size_t node = 0, feature = 0;
        std::size_t first = 0, n_candidates = 0;  // of the batch
        std::int64_t n_cuts = 0, n_evaluated = 0;
        double p_value = std::numeric_limits<double>::quiet_NaN();
        std::vector<double> numbers;  // as Gathered::numbers
        std::vector<double> weights;  // of each branch, as a share of the node's
    };

    std::size_t n_branches() const { return options_.missing == MissingMode::kBranch ? 3 : 2; }
    std::size_t n_candidates() const { return jobs_.empty() ? 0 : jobs_.back().first + jobs_.back().n_candidates; }

    void add_jobs(std::size_t node) {
        const auto add = [&](std::size_t feature) {
            Job& job = jobs_.emplace_back();
            job.node = node;
            job.feature = feature;
        };
        const bool tests = options_.screening.kind != Select::kScore;
        if (!engine_.draws()) {
            if (tests) {
                add_screened(node, engine_.order(), 0, add);
            } else {
                for (const std::size_t feature : engine_.order()) add(feature);
            }
            return;
        }
        Draw draw(growth_.columns.size(), open_[node].key);
        std::vector<std::size_t> drawn;
        while (!draw.empty() && drawn.size() < options_.max_features) drawn.push_back(draw.next());
        if (tests) {
            for (std::size_t done = 0; !add_screened(node, drawn, done, add) && !draw.empty();) {
                done += static_cast<std::size_t>(std::count_if(drawn.begin(), drawn.end(), [&](std::size_t feature) {
                    return !engine_.associations()[feature].constant;
                }));
                drawn = {draw.next()};
            }
            return;
        }
        while (!draw.empty() && !splittable(node, drawn)) drawn.push_back(draw.next());
        std::sort(drawn.begin(), drawn.end());
        for (const std::size_t feature : drawn) add(feature);
    }

    // Those of the features that pass the tests before a search; of conditional inference, one. Tells whether one of
    // them can be split. `n_before`: features of the node that were tested already.
    template <class Add>
    bool add_screened(std::size_t node, std::span<const std::size_t> features, std::size_t n_before, Add add) {
        engine_.test(engine_.facts_of(open_[node]), features, n_before);
        std::vector<std::size_t> passed = engine_.passed();
        bool some = false;
        while (!passed.empty()) {
            std::size_t feature = passed[0];
            if (options_.screening.kind == Select::kConditional) {
                feature = take_most_significant(options_.screening, engine_.associations(), passed);
            } else {
                passed.erase(passed.begin());
            }
            if (!splittable(node, {&feature, 1})) continue;
            some = true;
            add(feature);
            jobs_.back().p_value = engine_.p_value(feature);
            if (options_.screening.kind == Select::kConditional) break;
        }
        return some;
    }

    bool splittable(std::size_t node, std::span<const std::size_t> features) {
        const auto facts = engine_.facts_of(open_[node]);
        bool some = false;
        for (const std::size_t feature : features) {
            engine_.searcher().candidates().each(facts, feature, nullptr, engine_.space(0),
                                                 [&](const Candidate&) { return some = true; });
            if (some) return true;
        }
        return false;
    }

    void gather_job(Job& job, BranchForm form, std::size_t member) {
        const auto facts = engine_.facts_of(open_[job.node]);
        auto& space = engine_.space(member);
        engine_.searcher().candidates().each(facts, job.feature, nullptr, space, [&](const Candidate& candidate) {
            for (std::size_t branch = 0; branch < n_branches(); ++branch) {
                const bool is = branch < candidate.branches.n;
                write(is ? candidate.branches.counts[branch] : std::span<const double>(),
                      is ? candidate.branches.weight[branch] : 0.0, form, job.numbers);
                if (form != BranchForm::kCounts) {
                    job.weights.push_back(is ? candidate.branches.weight[branch] / facts.weight : 0.0);
                }
            }
            ++job.n_candidates;
            return false;
        });
        job.n_cuts = space.n_cuts;
        job.n_evaluated = space.n_candidates;
    }

    // A branch without rows counts nothing, and is pure.
    void write(std::span<const double> counts, double weight, BranchForm form, std::vector<double>& out) const {
        switch (form) {
            case BranchForm::kMinority:
                out.push_back(counts.empty() ? 0.0 : std::min(counts[0], counts[1]) / weight);
                break;
            case BranchForm::kShares:
                for (std::size_t k = 0; k < growth_.n_classes; ++k) {
                    out.push_back(counts.empty() ? (k == 0 ? 1.0 : 0.0) : counts[k] / weight);
                }
                break;
            case BranchForm::kCounts:
                for (std::size_t k = 0; k < growth_.n_classes; ++k) out.push_back(counts.empty() ? 0.0 : counts[k]);
                break;
        }
    }

    Gathered joined(BranchForm form, std::size_t n) {
        Gathered out;
        out.n_candidates = n;
        out.n_nodes = n_nodes_;
        out.n_branches = n_branches();
        out.width = form == BranchForm::kMinority ? 1 : growth_.n_classes;
        const std::size_t per_candidate = out.n_branches * out.width;
        out.numbers.resize(n * per_candidate + n_nodes_ * out.width);
        team_.each(jobs_.size(), [&](std::size_t j, std::size_t) {
            Job& job = jobs_[j];
            std::copy(job.numbers.begin(), job.numbers.end(), out.numbers.data() + job.first * per_candidate);
            job.numbers = {};
        });
        std::vector<double> of_node;
        for (std::size_t i = 0; i < n_nodes_; ++i) {
            const auto facts = engine_.facts_of(open_[i]);
            write(facts.total, facts.weight, form, of_node);
        }
        std::copy(of_node.begin(), of_node.end(), out.numbers.data() + n * per_candidate);
        if (form != BranchForm::kCounts) return out;
        for (const Job& job : jobs_) {
            out.node.insert(out.node.end(), job.n_candidates, static_cast<std::int32_t>(job.node));
            out.feature.insert(out.feature.end(), job.n_candidates, static_cast<std::int32_t>(job.feature));
        }
        return out;
    }

    template <class Gain, class Tolerance>
    void split_nodes(std::span<const double> scores, Gain gain_of, Tolerance tolerance_of) {
        std::vector<Node> level = std::move(open_);
        open_.assign(std::make_move_iterator(level.begin() + static_cast<std::ptrdiff_t>(n_nodes_)),
                     std::make_move_iterator(level.end()));
        std::size_t j = 0;
        for (std::size_t i = 0; i < n_nodes_; ++i) {
            const std::size_t first_job = j;
            double best = -std::numeric_limits<double>::infinity();
            for (; j < jobs_.size() && jobs_[j].node == i; ++j) {
                for (std::size_t c = 0; c < jobs_[j].n_candidates; ++c) {
                    best = std::max(best, finite(scores[jobs_[j].first + c]));
                }
            }
            const Job* chosen = nullptr;
            std::size_t ordinal = 0;
            for (std::size_t at = first_job; at < j && chosen == nullptr && std::isfinite(best); ++at) {
                for (ordinal = 0; ordinal < jobs_[at].n_candidates; ++ordinal) {
                    if (!(finite(scores[jobs_[at].first + ordinal]) >= best - tolerance_of(i))) continue;
                    chosen = &jobs_[at];
                    break;
                }
            }
            const double gain = chosen != nullptr ? gain_of(chosen->first + ordinal) : 0.0;
            if (chosen == nullptr || !engine_.enough(level[i], gain)) {
                monitor_.settle(static_cast<std::int64_t>(level[i].rows()));
                continue;
            }
            Split split = split_at(level[i], chosen->feature, ordinal);
            if (!engine_.passes(split, chosen->n_cuts)) {
                monitor_.settle(static_cast<std::int64_t>(level[i].rows()));
                continue;
            }
            split.gain = gain;
            split.score = scores[chosen->first + ordinal];
            split.p_value = chosen->p_value;
            if (options_.max_leaf_nodes > 0) {
                const double worth = engine_.weight_of(level[i]) * split.gain;
                waiting_.push({worth, turn_++, std::make_shared<Node>(std::move(level[i])),
                               std::make_shared<Split>(std::move(split))});
            } else {
                divide(level[i], split);
            }
        }
        jobs_.clear();
        n_nodes_ = 0;
        if (options_.max_leaf_nodes > 0) divide_best();
    }

    Split split_at(const Node& node, std::size_t feature, std::size_t ordinal) {
        Split split;
        const auto facts = engine_.facts_of(node);
        const auto& candidates = engine_.searcher().candidates();
        auto& space = engine_.space(0);
        candidates.each(facts, feature, nullptr, space, [&](const Candidate& candidate) {
            if (ordinal-- != 0) return false;
            candidates.accept(facts, feature, candidate, space, split);
            return true;
        });
        return split;
    }

    void open_if(Node&& node) {
        if (engine_.ends(node)) {
            monitor_.settle(static_cast<std::int64_t>(node.rows()));
        } else {
            open_.push_back(std::move(node));
        }
    }

    void divide(Node& node, const Split& split) {
        engine_.divide(node, split, children_);
        for (Node& child : children_) open_if(std::move(child));
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
    CountTables tables_;
    Growth growth_;
    OfClasses engine_;
    std::vector<Node> open_, children_;
    std::vector<Job> jobs_;
    std::size_t n_nodes_ = 0;  // gathered last
    std::priority_queue<Waiting> waiting_;
    std::size_t turn_ = 0;
    std::int64_t leaves_ = 1;
};

}  // namespace

std::unique_ptr<Levels> grow_by_level(const Problem& problem, const Options& options, Monitor::Poll poll) {
    check(problem, options);
    if (options.categories == CategorySplit::kMultiway) {
        throw std::invalid_argument("growth by level has splits of two branches, or three");
    }
    if (problem.weights.empty()) return std::make_unique<LevelsOf<true>>(problem, options, std::move(poll));
    return std::make_unique<LevelsOf<false>>(problem, options, std::move(poll));
}

}  // namespace boxwood
