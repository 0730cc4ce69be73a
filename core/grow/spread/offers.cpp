#include "grow/spread/offers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "search/categorical/one_vs_rest.hpp"
#include "select/stopping.hpp"

namespace boxwood::spread {

const Near& Offer::first(double merit) const {
    return *std::find_if(near.begin(), near.end(), [&](const Near& candidate) { return candidate.merit >= merit; });
}

double Offer::information_of(const Near& candidate, double weight) const {
    if (information > 0) return information;
    return split_information(std::array{candidate.left, known - candidate.left, weight - known}, weight);
}

OfferSearch::OfferSearch(const Table& table, const Growth& growth)
    : table_(table),
      options_(growth.options),
      n_classes_(growth.n_classes),
      row_scale_(growth.unit),
      least_{std::max<std::int64_t>(1, options_.min_samples_leaf), options_.min_weight_leaf},
      entropy_unit_(growth.tables),
      entropy_(growth.tables),
      gini_unit_(growth.tables),
      gini_(growth.tables),
      zero_(n_classes_, 0.0),
      known_(n_classes_),
      left_(n_classes_),
      right_(n_classes_) {
    std::size_t most = 0;
    for (const Column& column : table.columns) {
        if (column.categorical) most = std::max(most, static_cast<std::size_t>(column.n_categories));
    }
    group_of_code_.assign(most, -1);
}

Offer OfferSearch::search(const Facts& facts, std::size_t place) {
    Offer offer;
    if (table_.columns[facts.members.features[place]].categorical) {
        search_categories(facts, place, offer);
    } else {
        search_numeric(facts, place, offer);
    }
    const auto weaker = [&](const Near& near) {
        return !options_.weka_comparison && near.merit < offer.best - facts.tie;
    };
    std::erase_if(offer.near, weaker);
    return offer;
}

Split OfferSearch::accept(const Facts& facts, std::size_t place, const Offer& offer, const Near& near) {
    Split split;
    if (table_.columns[facts.members.features[place]].categorical) {
        split = accept_grouping(facts, place, near);
    } else {
        split = accept_cut(facts, place, near);
        split.n_choices = static_cast<double>(std::max<std::int64_t>(1, offer.n_cuts));
    }
    split.feature = facts.members.features[place];
    split.known = offer.known;
    std::vector<std::span<const double>> counts;
    for (std::size_t b = 0; b < split.n_branches; ++b) {
        counts.emplace_back(split.counts.data() + b * n_classes_, n_classes_);
    }
    split.gain = gain(options_.measure, {split.n_branches, counts, split.weight}, known_, known_weight_) *
                 (known_weight_ / facts.weight);
    return split;
}

// --- what all columns share ---------------------------------------------------------------------

void OfferSearch::consider(const Facts& facts, Near candidate, Offer& offer) const {
    if (options_.weka_comparison) {
        if (!(candidate.merit - offer.best > kWekaTie)) return;
        offer.near.assign(1, candidate);
    } else {
        if (offer.valid() && candidate.merit < offer.best - facts.tie) return;
        offer.near.push_back(candidate);
    }
    offer.best = offer.near.size() == 1 ? candidate.merit : std::max(offer.best, candidate.merit);
}

double OfferSearch::judge(const Facts& facts, double left_weight) {
    for (std::size_t k = 0; k < n_classes_; ++k) right_[k] = known_[k] - left_[k];
    const Branches branches{2, {left_, right_, {}}, {left_weight, known_weight_ - left_weight, 0}};
    return merit(options_.measure, branches, known_, known_weight_) * (known_weight_ / facts.weight);
}

// --- numeric ------------------------------------------------------------------------------------

void OfferSearch::count_known(const Facts& facts, std::size_t place) {
    const Members& members = facts.members;
    const auto items = members.items_of(place);
    if (items.size() == members.size()) {
        known_.assign(facts.total.begin(), facts.total.end());
        known_weight_ = facts.weight;
        return;
    }
    known_.assign(n_classes_, 0.0);
    known_weight_ = 0;
    for (const Item& item : items) {
        known_[members.label[item.member]] += members.weight_of(item.member);
        known_weight_ += members.weight_of(item.member);
    }
}

void OfferSearch::search_numeric(const Facts& facts, std::size_t place, Offer& offer) {
    const auto items = facts.members.items_of(place);
    offer.constant = items.empty() || items.front().rank == items.back().rank;
    if (offer.constant) return;
    count_known(facts, place);
    offer.known = known_weight_;
    LeastBranch least = least_;
    if (options_.quinlan_minimum) {
        const double tenth = 0.1 * known_weight_ / static_cast<double>(n_classes_);
        least.weight = std::max(least.weight, std::min(tenth, 25.0 / row_scale_));
    }
    const bool unit = facts.members.weight.empty();
    switch (options_.measure.kind) {
        case Criterion::kEntropy:
        case Criterion::kGainRatio:
            unit ? scan<true>(entropy_unit_, facts, place, least, offer)
                 : scan<false>(entropy_, facts, place, least, offer);
            break;
        case Criterion::kGini:
            unit ? scan<true>(gini_unit_, facts, place, least, offer) : scan<false>(gini_, facts, place, least, offer);
            break;
        default: judge_all(facts, place, least, offer);
    }
    correct(facts, offer);
}

// Walks through the known rows in the order of their values: move(class, weight) for each row, cut(rows on the left,
// weight on the left) for each cut that is allowed.
template <bool kUnit, class Move, class Cut>
void OfferSearch::walk(const Facts& facts, std::size_t place, const LeastBranch& least, Offer& offer, Move move,
                       Cut cut) {
    const Members& members = facts.members;
    const auto items = members.items_of(place);
    const auto& values = table_.numeric[members.features[place]].values;
    const auto n = static_cast<std::int64_t>(items.size());
    const double gap = options_.min_value_gap;
    left_.assign(n_classes_, 0.0);
    double left = 0;
    for (std::int64_t i = 0; i + 1 < n; ++i) {
        const Item item = items[static_cast<std::size_t>(i)];
        const std::uint32_t next = items[static_cast<std::size_t>(i + 1)].rank;
        const std::size_t k = members.label[item.member];
        const double w = kUnit ? 1.0 : members.weight[item.member];
        move(k, w);
        left_[k] += w;
        left += w;
        if (next == item.rank || (gap > 0 && !(values[item.rank] + gap < values[next]))) continue;
        ++offer.n_cuts;
        if (!least.allows(i + 1, left) || !least.allows(n - i - 1, known_weight_ - left)) continue;
        ++offer.n_allowed;
        cut(static_cast<std::uint32_t>(i + 1), left);
    }
}

void OfferSearch::judge_all(const Facts& facts, std::size_t place, const LeastBranch& least, Offer& offer) {
    const auto stay = [](std::size_t, double) {};
    const auto cut = [&](std::uint32_t at, double left) { consider(facts, {at, judge(facts, left), left}, offer); };
    if (facts.members.weight.empty()) {
        walk<true>(facts, place, least, offer, stay, cut);
    } else {
        walk<false>(facts, place, least, offer, stay, cut);
    }
}

// Running sums tell most cuts apart. Those that they cannot are kept with their counts, for the judge.
template <bool kUnit, class Balance>
void OfferSearch::scan(Balance& balance, const Facts& facts, std::size_t place, const LeastBranch& least,
                       Offer& offer) {
    balance.start({zero_, known_, {}});
    const double offset = -worth(options_.measure, known_, known_weight_);
    const double error = 4 * Balance::error(known_weight_, static_cast<double>(facts.members.n_known[place]));
    double best = 0;     // the value of the best so far; of a running sum, to within half the error
    bool judged = true;  // whether offer.best is its merit
    kept_.clear();
    const auto keep = [&](std::uint32_t at, double left) {
        offer.near.push_back({at, 0.0, left});
        kept_.insert(kept_.end(), left_.begin(), left_.end());
    };
    const auto move = [&](std::size_t k, double w) { balance.move(k, w); };
    const auto restart = [&](std::uint32_t at, double left, double value) {
        offer.near.clear();
        kept_.clear();
        keep(at, left);
        best = value;
        judged = false;
    };
    if (options_.weka_comparison) {
        walk<kUnit>(facts, place, least, offer, move, [&](std::uint32_t at, double left) {
            const double value = balance.worth() + offset;
            const double ahead = value - best - kWekaTie * facts.weight;
            if (ahead < -error) return;
            if (!(ahead > error)) {  // too near to call
                if (!judged) judge_kept(facts, offer);
                judged = true;
                best = offer.best * facts.weight;
                const double merit = judge(facts, left);
                if (!(merit - offer.best > kWekaTie)) return;
                restart(at, left, merit * facts.weight);
                offer.near[0].merit = offer.best = merit;
                judged = true;
                return;
            }
            restart(at, left, value);
        });
    } else {
        const double slack = facts.tie * facts.weight + error;
        walk<kUnit>(facts, place, least, offer, move, [&](std::uint32_t at, double left) {
            const double value = balance.worth() + offset;
            if (!offer.valid() || value > best + slack) {
                restart(at, left, value);
            } else if (value >= best - slack) {
                keep(at, left);
                best = std::max(best, value);
            }
        });
    }
    if (!judged) judge_kept(facts, offer);
}

void OfferSearch::judge_kept(const Facts& facts, Offer& offer) {
    offer.best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < offer.near.size(); ++i) {
        double* counts = kept_.data() + i * n_classes_;
        std::swap_ranges(left_.begin(), left_.end(), counts);
        offer.near[i].merit = judge(facts, offer.near[i].left);
        std::swap_ranges(left_.begin(), left_.end(), counts);
        offer.best = std::max(offer.best, offer.near[i].merit);
    }
}

// The choice of a cut takes log2 of their number of bits to tell.
void OfferSearch::correct(const Facts& facts, Offer& offer) const {
    if (!options_.mdl_gain || !offer.valid()) return;
    const double bits = std::log2(static_cast<double>(offer.n_allowed)) / (facts.weight * row_scale_);
    offer.best -= bits;
    for (Near& near : offer.near) near.merit -= bits;
    if (!(offer.best > (options_.weka_comparison ? kWekaTie : 0.0))) offer.near.clear();
}

Split OfferSearch::accept_cut(const Facts& facts, std::size_t place, const Near& near) {
    const Members& members = facts.members;
    const auto items = members.items_of(place);
    const auto& values = table_.numeric[members.features[place]].values;
    count_known(facts, place);
    left_.assign(n_classes_, 0.0);
    double left = 0;
    for (std::size_t i = 0; i < near.at; ++i) {
        left_[members.label[items[i].member]] += members.weight_of(items[i].member);
        left += members.weight_of(items[i].member);
    }
    Split split;
    split.kind = Kind::kThreshold;
    split.last_rank = items[near.at - 1].rank;
    split.threshold = between(values[split.last_rank], values[items[near.at].rank]);
    if (options_.training_threshold) {
        split.threshold = *(std::upper_bound(values.begin(), values.end(), split.threshold) - 1);
    }
    split.n_branches = 2;
    split.counts = left_;
    for (std::size_t k = 0; k < n_classes_; ++k) split.counts.push_back(known_[k] - left_[k]);
    split.weight = {left, known_weight_ - left};
    split.rows = {near.at, static_cast<std::int64_t>(items.size()) - near.at};
    return split;
}

// --- categories ---------------------------------------------------------------------------------

// Fills groups_, known_ and cells_ (counts by group and class); returns the number of rows that have a value.
std::int64_t OfferSearch::group(const Facts& facts, std::size_t feature) {
    const Members& members = facts.members;
    const Column& column = table_.columns[feature];
    groups_.clear();
    codes_.clear();
    for (std::size_t member = 0; member < members.size(); ++member) {
        const std::int32_t code = column.code(members.row[member]);
        if (code < 0) continue;
        std::int32_t& at = group_of_code_[static_cast<std::size_t>(code)];
        if (at < 0) {
            at = 0;
            codes_.push_back(code);
        }
    }
    std::sort(codes_.begin(), codes_.end());
    for (std::size_t g = 0; g < codes_.size(); ++g) {
        group_of_code_[static_cast<std::size_t>(codes_[g])] = static_cast<std::int32_t>(g);
    }
    cells_.assign(codes_.size() * n_classes_, 0.0);
    group_rows_.assign(codes_.size(), 0);
    std::int64_t rows = 0;
    for (std::size_t member = 0; member < members.size(); ++member) {
        const std::int32_t code = column.code(members.row[member]);
        if (code < 0) continue;
        const auto g = static_cast<std::size_t>(group_of_code_[static_cast<std::size_t>(code)]);
        cells_[g * n_classes_ + members.label[member]] += members.weight_of(member);
        ++group_rows_[g];
        ++rows;
    }
    known_.assign(n_classes_, 0.0);
    known_weight_ = 0;
    for (std::size_t g = 0; g < codes_.size(); ++g) {
        for (std::size_t k = 0; k < n_classes_; ++k) {
            const double count = cells_[g * n_classes_ + k];
            if (count > 0) groups_.add(static_cast<std::uint16_t>(k), count);
            known_[k] += count;
        }
        groups_.close(codes_[g], group_rows_[g]);
        known_weight_ += groups_.weight[g];
        group_of_code_[static_cast<std::size_t>(codes_[g])] = -1;
    }
    return rows;
}

// Calls use(at, rows, weight) for every grouping in two; the counts of its first branch are in left_.
template <class Use>
void OfferSearch::each_grouping(Use use) {
    left_.assign(n_classes_, 0.0);
    std::int64_t rows = 0;
    double weight = 0;
    const auto move = [&](const Groups& from, std::size_t g, double sign) {
        for (std::size_t i = from.start[g]; i < from.start[g + 1]; ++i) {
            left_[from.label[i]] += sign * from.count[i];
        }
        rows += static_cast<std::int64_t>(sign) * from.rows[g];
        weight += sign * from.weight[g];
    };
    if (options_.categories == CategorySplit::kOneVsRest) {
        const std::size_t n = groups_.size() == 2 ? 1 : groups_.size();  // of two, each is the rest of the other
        group_search_.order.clear();
        if (!options_.weka_comparison) order_alone(group_search_, groups_, n_classes_);  // J48 goes by code
        for (std::uint32_t place = 0; place < n; ++place) {
            const std::uint32_t g = group_search_.alone(place);
            move(groups_, g, 1);
            use(g, rows, weight);
            move(groups_, g, -1);
        }
        return;
    }
    prepare_groups();
    const GroupSearch& search = group_search_;
    if (search.grouping == Grouping::kSubset) {
        const Groups& values = search.values.rows;
        each_subset(values.size(), [&](std::uint32_t subset, std::size_t v, bool enters) {
            move(values, v, enters ? 1 : -1);
            use(subset, rows, weight);
            return false;
        });
        return;
    }
    for (std::uint32_t i = 0; i + 1 < groups_.size() && search.only_prefix != GroupSearch::kNoPrefix; ++i) {
        move(groups_, search.order[i], 1);
        if (search.looks_at(i + 1)) use(i + 1, rows, weight);
    }
    if (search.chosen.empty()) return;
    std::fill(left_.begin(), left_.end(), 0.0);
    rows = 0;
    weight = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (search.chosen[g] == 0) move(groups_, g, 1);
    }
    use(static_cast<std::uint32_t>(groups_.size()), rows, weight);
}

void OfferSearch::prepare_groups() {
    GroupRequest request;
    request.method = options_.categories;
    request.measure = options_.measure;
    request.concave = options_.measure.rule(n_classes_) == CutRule::kBoundaries;
    request.mixing = options_.mixing;
    request.room.minimum = {least_.rows, least_.weight};
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        request.room.known_rows += groups_.rows[g];
        request.room.known += groups_.weight[g];
    }
    prepare(group_search_, groups_, known_, request);
}

void OfferSearch::name_groups() {
    group_counts_.clear();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        group_counts_.emplace_back(cells_.data() + g * n_classes_, n_classes_);
    }
}

void OfferSearch::search_categories(const Facts& facts, std::size_t place, Offer& offer) {
    const std::int64_t known_rows = group(facts, facts.members.features[place]);
    offer.constant = groups_.size() < 2;
    if (offer.constant) return;
    offer.known = known_weight_;
    if (multiway()) {
        std::size_t allowed = 0;
        for (std::size_t g = 0; g < groups_.size(); ++g) allowed += least_.allows(groups_.rows[g], groups_.weight[g]);
        if (allowed < (options_.two_branches ? 2 : groups_.size())) return;
        name_groups();
        const double share = known_weight_ / facts.weight;
        offer.best =
            merit(options_.measure, {groups_.size(), group_counts_, groups_.weight}, known_, known_weight_) * share;
        offer.near.assign(1, {0, offer.best, groups_.weight[0]});
        std::vector<double> parts = groups_.weight;
        parts.push_back(facts.weight - known_weight_);
        offer.information = split_information(parts, facts.weight);
        return;
    }
    const bool by_ratio = options_.weka_comparison && options_.categories == CategorySplit::kOneVsRest &&
                          options_.measure.kind == Criterion::kGainRatio;
    double best_ratio = 0;
    if (options_.weka_comparison) offer.best = -std::numeric_limits<double>::infinity();
    each_grouping([&](std::uint32_t at, std::int64_t rows, double weight) {
        if (!least_.allows(rows, weight) || !least_.allows(known_rows - rows, known_weight_ - weight)) return;
        const Near candidate{at, judge(facts, weight), weight};
        if (!by_ratio) {
            consider(facts, candidate, offer);
            return;
        }
        // A column of which no category is better than nothing still counts in the average of all gains, with zero.
        if (!offer.valid()) offer.near.push_back({at, 0.0, weight});
        const double ratio = candidate.merit / offer.information_of(candidate, facts.weight);
        if (ratio - best_ratio > kWekaTie) {
            best_ratio = ratio;
            offer.near.assign(1, candidate);
        }
        offer.best = offer.near.front().merit;
    });
}

Split OfferSearch::accept_grouping(const Facts& facts, std::size_t place, const Near& near) {
    group(facts, facts.members.features[place]);
    Split split;
    split.category_code = groups_.code;
    split.category_branch.resize(groups_.size());
    if (multiway()) {
        split.kind = Kind::kMultiway;
        split.n_branches = groups_.size();
        for (std::size_t g = 0; g < groups_.size(); ++g) split.category_branch[g] = static_cast<std::int32_t>(g);
        split.counts = cells_;
        split.weight = groups_.weight;
        split.rows = groups_.rows;
        return split;
    }
    split.kind = Kind::kSubset;
    split.n_branches = 2;
    const bool alone = options_.categories == CategorySplit::kOneVsRest;
    split.n_choices = alone ? static_cast<double>(groups_.size()) : bipartitions(groups_.size());
    std::vector<std::uint8_t> sides(groups_.size(), 1);
    if (alone) {
        sides[near.at] = 0;
    } else {
        prepare_groups();
        group_search_.branches(near.at, groups_.size(), sides);
    }
    split.category_branch.assign(sides.begin(), sides.end());
    // The lowest category present is in branch 0.
    if (split.category_branch[0] != 0) {
        for (std::int32_t& branch : split.category_branch) branch = 1 - branch;
    }
    split.counts.assign(2 * n_classes_, 0.0);
    split.weight.assign(2, 0.0);
    split.rows.assign(2, 0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const auto b = static_cast<std::size_t>(split.category_branch[g]);
        for (std::size_t k = 0; k < n_classes_; ++k) split.counts[b * n_classes_ + k] += cells_[g * n_classes_ + k];
        split.weight[b] += groups_.weight[g];
        split.rows[b] += groups_.rows[g];
    }
    return split;
}

}  // namespace boxwood::spread
