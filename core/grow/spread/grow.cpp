#include "grow/spread/grow.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <vector>

#include "criteria/balance.hpp"
#include "grow/place.hpp"
#include "grow/random.hpp"
#include "grow/spread/choice.hpp"
#include "grow/spread/grid.hpp"
#include "grow/spread/members.hpp"
#include "grow/spread/offers.hpp"
#include "grow/spread/table.hpp"
#include "select/stopping.hpp"
#include "threads/team.hpp"

namespace boxwood {
namespace spread {
namespace {

constexpr double kTie = 1e-12;  // of the node's impurity

struct Node {
    Members members;
    std::size_t record = 0;
    std::int64_t depth = 0;
    std::uint64_t key = 0;
    std::vector<std::size_t> retired;  // places of features that are constant, ascending
};

// A node whose split is known, in best-first growth.
struct Waiting {
    double worth;  // weight times gain
    std::size_t turn;
    std::shared_ptr<Node> node;
    std::shared_ptr<Split> split;
    bool operator<(const Waiting& other) const {
        return worth != other.worth ? worth < other.worth : turn > other.turn;
    }
};

class Grower {
  public:
    Grower(const Problem& problem, const Options& options, Monitor& monitor, Team& team)
        : problem_(problem),
          options_(options),
          monitor_(monitor),
          team_(team),
          alone_(1),
          table_(read_table(problem.columns, problem.n_rows, team, monitor)),
          tables_(problem.weights.empty() ? problem.n_rows : 0, options.measure, team),
          total_(problem.weights.empty() ? static_cast<double>(problem.n_rows)
                                         : std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0)),
          grid_(total_),
          growth_{options_,
                  problem_.columns,
                  problem_.n_classes,
                  total_,
                  tables_,
                  monitor_,
                  unit_of(total_, problem_.n_rows)},
          division_(table_, grid_, problem.n_classes),
          output_(problem.n_classes) {
        for (std::size_t i = 0; i < team.size(); ++i) {
            searches_.push_back(std::make_unique<OfferSearch>(table_, growth_));
        }
    }

    GrownTree run() {
        if (options_.max_leaf_nodes > 0) {
            grow_best_first(root());
        } else {
            grow_depth_first(root());
        }
        return breadth_first(output_, false, false);
    }

  private:
    Node root() {
        Node node;
        const std::size_t n = problem_.n_rows;
        Members& members = node.members;
        members.row.resize(n);
        members.label.resize(n);
        std::iota(members.row.begin(), members.row.end(), 0u);
        std::transform(problem_.target.begin(), problem_.target.end(), members.label.begin(),
                       [](std::int32_t label) { return static_cast<std::uint16_t>(label); });
        members.weight.assign(problem_.weights.begin(), problem_.weights.end());
        members.features.resize(table_.columns.size());
        std::iota(members.features.begin(), members.features.end(), std::size_t{0});
        members.n_known.assign(members.features.size(), 0);
        members.items.resize(members.features.size() * n);
        for (std::size_t j = 0; j < members.features.size(); ++j) {
            Buffer<Item> order = std::move(table_.numeric[j].order);
            std::copy(order.begin(), order.end(), members.items.begin() + static_cast<std::ptrdiff_t>(j * n));
            members.n_known[j] = order.size();
        }
        std::vector<double> counts(problem_.n_classes, 0.0);
        for (std::size_t row = 0; row < n; ++row) counts[members.label[row]] += members.weight_of(row);
        node.record =
            output_.add(counts, static_cast<std::int64_t>(n), total_, impurity(options_.measure, counts, total_));
        node.key = mix(options_.seed);
        return node;
    }

    // Is a node of such rows a leaf whatever its splits? Weights are sums of rounded parts, see LeastBranch.
    bool ends(std::int64_t depth, std::int64_t n_rows, double weight, std::span<const double> counts) const {
        if (depth >= options_.max_depth || n_rows < options_.min_samples_split ||
            n_rows < 2 * options_.min_samples_leaf || weight < 2 * options_.min_weight_leaf * (1 - 1e-9)) {
            return true;
        }
        const double most = *std::max_element(counts.begin(), counts.end());
        return most >= weight - (options_.weka_comparison ? kWekaTie / growth_.unit : 0.0);
    }
    bool ends(const Node& node) const {
        const Record& record = output_.records[node.record];
        return ends(node.depth, record.n_rows, record.weight, output_.sums_of(node.record));
    }

    void grow_depth_first(Node first) {
        std::vector<Node> open, children;
        open.push_back(std::move(first));
        while (!open.empty()) {
            Node node = std::move(open.back());
            open.pop_back();
            Split split;
            if (!consider(node, split)) continue;
            divide(node, split, children);
            for (std::size_t i = children.size(); i-- > 0;) open.push_back(std::move(children[i]));
        }
    }

    void grow_best_first(Node first) {
        std::priority_queue<Waiting> waiting;
        std::size_t turn = 0;
        const auto look_at = [&](Node&& node) {
            Split split;
            if (!consider(node, split)) return;
            const double worth = output_.records[node.record].weight * split.gain;
            waiting.push(
                {worth, turn++, std::make_shared<Node>(std::move(node)), std::make_shared<Split>(std::move(split))});
        };
        look_at(std::move(first));
        std::int64_t leaves = 1;
        std::vector<Node> children;
        while (!waiting.empty() && !monitor_.stopped()) {
            const Waiting next = waiting.top();
            waiting.pop();
            const auto more = static_cast<std::int64_t>(next.split->n_branches) - 1;
            if (leaves + more > options_.max_leaf_nodes) continue;
            leaves += more;
            divide(*next.node, *next.split, children);
            for (Node& child : children) look_at(std::move(child));
        }
    }

    // The split of a node; false: it is a leaf.
    bool consider(Node& node, Split& split) {
        monitor_.tick(0, static_cast<std::int64_t>(node.members.size() * node.members.features.size()) + 100);
        if (!ends(node) && !monitor_.stopped() && choose_split(node, split)) return true;
        settle(output_.records[node.record].weight);
        return false;
    }

    // Progress is a share of the rows, and a row may be in many nodes: it is counted by weight.
    void settle(double weight) {
        settled_ += weight;
        const auto rows = static_cast<std::int64_t>(settled_ / total_ * static_cast<double>(problem_.n_rows));
        monitor_.settle(rows - reported_);
        reported_ = rows;
    }

    Team& team_for(std::size_t rows, std::size_t columns) {
        return team_.size() > 1 && rows * columns > 40'000 ? team_ : alone_;
    }

    bool choose_split(Node& node, Split& split) {
        const Record& record = output_.records[node.record];
        const Facts facts{node.members, output_.sums_of(node.record), record.weight, record.impurity,
                          kTie * record.impurity};
        places_.clear();
        offers_.clear();
        if (options_.max_features < table_.columns.size()) {
            draw(node, facts);
        } else {
            for (std::size_t place = 0; place < node.members.features.size(); ++place) places_.push_back(place);
            search(facts, 0);
        }
        features_.clear();
        for (std::size_t i = 0; i < places_.size(); ++i) {
            features_.push_back(node.members.features[places_[i]]);
            output_.n_cuts += offers_[i].n_cuts;
            output_.n_evaluated += offers_[i].n_allowed;
            if (offers_[i].constant) node.retired.push_back(places_[i]);
        }
        const Chosen chosen = choose(options_, facts, table_, offers_, features_);
        if (chosen.near == nullptr) return false;
        split = searches_[0]->accept(facts, places_[chosen.place], offers_[chosen.place], *chosen.near);
        split.score = chosen.score;
        return enough_gain(growth_, facts.weight, split.gain) &&
               options_.stopping.allows({split.counts, split.weight, growth_.unit}, table_.columns.size(),
                                        split.n_choices);
    }

    // Searches the columns at places_[first], ...; their offers follow the others.
    void search(const Facts& facts, std::size_t first) {
        offers_.resize(places_.size());
        team_for(facts.members.size(), places_.size() - first)
            .each(places_.size() - first, [&](std::size_t i, std::size_t member) {
                offers_[first + i] = searches_[member]->search(facts, places_[first + i]);
            });
    }

    // max_features at random; more, one by one, until one of them has something to offer. In ascending order.
    void draw(const Node& node, const Facts& facts) {
        const auto& features = node.members.features;
        Draw lots(table_.columns.size(), node.key);
        for (std::size_t drawn = 0; !lots.empty(); ++drawn) {
            const bool some =
                std::any_of(offers_.begin(), offers_.end(), [](const Offer& offer) { return offer.valid(); });
            if (drawn >= options_.max_features && some) break;
            const std::size_t feature = lots.next();
            const auto at = std::lower_bound(features.begin(), features.end(), feature);
            if (at == features.end() || *at != feature) continue;
            places_.push_back(static_cast<std::size_t>(at - features.begin()));
            search(facts, places_.size() - 1);
        }
        std::vector<std::size_t> order(places_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places_[a] < places_[b]; });
        std::vector<std::size_t> places;
        std::vector<Offer> offers;
        for (const std::size_t i : order) {
            places.push_back(places_[i]);
            offers.push_back(std::move(offers_[i]));
        }
        places_ = std::move(places);
        offers_ = std::move(offers);
    }

    // Writes the split down and makes the children that are open; the others are settled.
    void divide(Node& node, const Split& split, std::vector<Node>& children) {
        children.clear();
        const auto& features = node.members.features;
        const auto place = static_cast<std::size_t>(std::lower_bound(features.begin(), features.end(), split.feature) -
                                                    features.begin());
        const std::vector<Child> parts = division_.begin(node.members, split, place);
        write(node.record, split, parts);
        std::vector<std::uint8_t> open(parts.size());
        const std::size_t first = output_.records.size();
        for (std::size_t b = 0; b < parts.size(); ++b) {
            output_.add(parts[b].counts, parts[b].n_rows, parts[b].weight,
                        impurity(options_.measure, parts[b].counts, parts[b].weight));
            open[b] = !ends(node.depth + 1, parts[b].n_rows, parts[b].weight, parts[b].counts);
            if (!open[b]) settle(parts[b].weight);
        }
        std::vector<std::size_t> keep;
        for (std::size_t i = 0; i < features.size(); ++i) {
            if (!std::binary_search(node.retired.begin(), node.retired.end(), i)) keep.push_back(i);
        }
        std::vector<Members> members =
            division_.divide(node.members, open, keep, team_for(node.members.size(), keep.size()));
        node.members = {};
        for (std::size_t b = 0; b < parts.size(); ++b) {
            if (!open[b]) continue;
            Node& child = children.emplace_back();
            child.members = std::move(members[b]);
            child.record = first + b;
            child.depth = node.depth + 1;
            child.key = child_key(node.key, b);
        }
    }

    void write(std::size_t at, const Split& split, const std::vector<Child>& parts) {
        Record& record = output_.records[at];
        record.kind = split.kind;
        record.feature = static_cast<std::int32_t>(split.feature);
        record.threshold = split.kind == Kind::kThreshold ? split.threshold : std::numeric_limits<double>::quiet_NaN();
        record.n_children = static_cast<std::uint32_t>(split.n_branches);
        record.first_child = static_cast<std::uint32_t>(output_.records.size());
        record.missing_branch = kSpread;
        record.score = split.score;
        record.unknown_branch = kSpread;
        if (split.kind != Kind::kThreshold && options_.unknown == UnknownRule::kMajority) {
            const auto heavier = [](const Child& a, const Child& b) { return a.weight < b.weight; };
            record.unknown_branch =
                static_cast<std::int32_t>(std::max_element(parts.begin(), parts.end(), heavier) - parts.begin());
        } else if (split.kind != Kind::kThreshold && options_.unknown == UnknownRule::kStop) {
            record.unknown_branch = kStop;
        } else if (split.kind != Kind::kThreshold && options_.unknown == UnknownRule::kError) {
            record.unknown_branch = boxwood::kError;
        }
        output_.list_categories(at, split.category_code, split.category_branch);
    }

    const Problem& problem_;
    const Options& options_;
    Monitor& monitor_;
    Team& team_;
    Team alone_;
    Table table_;
    CountTables tables_;
    double total_;
    WeightGrid grid_;
    Growth growth_;
    Division division_;
    Output output_;
    std::vector<std::unique_ptr<OfferSearch>> searches_;  // by member of the team
    std::vector<std::size_t> places_, features_;          // of the columns searched at a node
    std::vector<Offer> offers_;
    double settled_ = 0;
    std::int64_t reported_ = 0;
};

}  // namespace
}  // namespace spread

GrownTree grow_spread(const Problem& problem, const Options& options, Monitor& monitor) {
    check(problem, options);
    if (options.measure.kind == Criterion::kGiven || options.random_cuts || !options.monotonic.empty()) {
        throw std::invalid_argument("spread growth has no given scores, random cuts or monotonic constraints");
    }
    Problem plain = problem;
    if (std::all_of(problem.weights.begin(), problem.weights.end(), [](double w) { return w == 1.0; })) {
        plain.weights = {};
    }
    monitor.begin(static_cast<std::int64_t>(problem.n_rows));
    Team team(std::max<std::size_t>(1, options.n_threads));
    return spread::Grower(plain, options, monitor, team).run();
}

}  // namespace boxwood
