// One node and one feature: from rows to the best split, for a target of classes.
//
// search() finds the value of a feature's best candidate quickly, over running
// sums; judge() weighs candidates from exact counts, in order, until one is good
// enough: ties and final scores come from there. What is drawn at random or
// bound by monotonic constraints is searched by judging alone.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "grow/associate.hpp"
#include "grow/candidates.hpp"
#include "grow/loader.hpp"
#include "grow/output.hpp"
#include "grow/place.hpp"
#include "grow/split.hpp"
#include "grow/tally.hpp"
#include "search/categorical/multiway.hpp"
#include "search/categorical/one_vs_rest.hpp"
#include "search/categorical/search.hpp"
#include "search/found.hpp"

namespace boxwood {

template <class Row, bool kUnit>
class ClassSearcher {
  public:
    using Index = Row;
    using Load = Loader<Index, kUnit>;
    using Facts = NodeFacts<kUnit>;
    using Space = Scratch<kUnit>;
    using Memory = std::shared_ptr<Histogram<kUnit>>;
    static constexpr std::size_t kSmall = 0;
    static constexpr std::size_t kApart = std::numeric_limits<std::size_t>::max() / 4;
    static constexpr bool kBounds = false;
    static constexpr bool kFull = false;
    template <class Other>
    using With = ClassSearcher<Other, kUnit>;

    ClassSearcher(const Growth& growth, const Sample<Index>& sample)
        : plan_(*sample.columns, growth.n_classes),
          load_(sample, growth.columns, growth.n_classes, growth.options, plan_),
          candidates_(load_, sample, growth),
          sample_(sample),
          growth_(growth),
          n_classes_(growth.n_classes),
          options_(growth.options),
          tables_(growth.tables),
          draws_(growth.options.max_features < growth.columns.size()),
          judges_only_(growth.options.random_cuts || !growth.options.monotonic.empty() ||
                       growth.options.measure.kind == Criterion::kGiven) {}
    ClassSearcher(const ClassSearcher&) = delete;
    ClassSearcher& operator=(const ClassSearcher&) = delete;

    const Candidates<Index, kUnit>& candidates() const { return candidates_; }

    // --- nodes ----------------------------------------------------------------------------------

    std::size_t n_sums() const { return n_classes_; }
    static constexpr bool kRegression = false;
    void total(std::vector<double>& counts, double& weight) const {
        counts.assign(n_classes_, 0.0);
        if constexpr (kUnit) {
            std::vector<std::uint32_t> room;
            tally(sample_.n_rows, [&](std::size_t row) { return sample_.label(row); }, counts, room);
            weight = static_cast<double>(sample_.n_rows);
            return;
        }
        for (std::size_t row = 0; row < sample_.n_rows; ++row) {
            counts[sample_.label(row)] += sample_.weight_of(row);
            weight += sample_.weight_of(row);
        }
    }
    double impurity(std::span<const double> counts, double weight) const {
        return boxwood::impurity(options_.measure, counts, weight);
    }
    double impurity_of(const Split& split, std::size_t branch) const {
        return impurity(split.sums_of(branch), split.weight[branch]);
    }
    static bool pure(std::span<const double> counts, double) {
        return std::count_if(counts.begin(), counts.end(), [](double c) { return c > 0; }) <= 1;
    }
    static double value(std::span<const double> counts, double weight) { return counts[1] / weight; }

    Facts facts(const Place& place, const Memory& memory) const {
        Facts facts;
        facts.begin = place.begin;
        facts.end = place.end;
        facts.total = place.sums;
        facts.weight = place.weight;
        facts.impurity = place.impurity;
        facts.histogram = memory.get();
        facts.key = place.key;
        facts.bounds = place.bounds;
        facts.worth = worth(options_.measure, facts.total, facts.weight);
        facts.error = search_error(facts.weight, static_cast<double>(facts.rows()));
        facts.slack = facts.weight * facts.tolerance() + 2 * facts.error;
        return facts;
    }

    // Columns without a histogram are put in order row by row: the labels are looked up once for all of them.
    void prepare(Facts& facts, std::span<const std::size_t>) {
        if (sample_.n_coded == 0 || histogram_columns(facts.end - facts.begin) == sample_.n_coded) return;
        labels_.resize(facts.end - facts.begin);
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            labels_[i] = static_cast<std::uint16_t>(sample_.label(sample_.rows[facts.begin + i]));
        }
        facts.labels = labels_;
    }

    void remember(Memory& memory, std::size_t begin, std::size_t end, Team& team) const {
        const std::size_t n_columns = histogram_columns(end - begin);
        if (n_columns > 0) memory = count(begin, end, n_columns, team);
    }

    // Of two children the smaller one is counted, the other is the parent less that.
    void inherit(Memory& memory, std::span<const Heir<Memory>> heirs, Team& team) const {
        if (!memory) return;
        if (heirs.size() == 2) {
            const Heir<Memory>& small = heirs[0].rows() <= heirs[1].rows() ? heirs[0] : heirs[1];
            const Heir<Memory>& large = &small == &heirs[0] ? heirs[1] : heirs[0];
            const std::size_t wanted = large.open ? histogram_columns(large.rows()) : 0;
            if (wanted > 0) {
                const Memory counted = count(small.begin, small.end, wanted, team);
                if (small.open && histogram_columns(small.rows()) > 0) *small.memory = counted;
                *large.memory = std::make_shared<Histogram<kUnit>>();
                (*large.memory)->n_columns = wanted;
                (*large.memory)->subtract(plan_, *memory, *counted);
                memory.reset();
                return;
            }
        }
        memory.reset();
        for (const Heir<Memory>& heir : heirs) {
            if (heir.open) remember(*heir.memory, heir.begin, heir.end, team);
        }
    }

    // --- splits ---------------------------------------------------------------------------------

    Association associate(const Facts& facts, std::size_t feature, Space& space) const {
        return associate_classes(load_, sample_, growth_, facts, feature, space);
    }

    // The best candidate of a feature; nothing below `floor` need be found.
    Found search(const Facts& facts, std::size_t feature, Space& space, double floor) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        if (column.categorical && options_.categories == CategorySplit::kMultiway) {
            return search_multiway(facts, feature, space);
        }
        if (judges_only_) return search_by_judging(facts, feature, space);
        Found found;
        if (column.categorical) {
            const std::int64_t missing_rows = load_.load_groups(facts, feature, space);
            found.constant = space.groups.size() == 0 || (space.groups.size() == 1 && missing_rows == 0);
            if (!found.constant) search_groups(facts, feature, space, missing_rows, found);
            return found;
        }
        const Cell* cells = load_.histogram_of(facts, feature);
        if (cells != nullptr) {
            const Table table = load_.load_table(facts, feature, cells, space);
            found.constant = table.n_present == 0 || (table.n_present == 1 && table.missing_rows == 0);
            if (found.constant) return found;
            mark_table(table, space, found);
            each_population(
                facts, space, table.missing_rows, floor, found, [&](const Population& population, const Terms& terms) {
                    with_balance(space, facts, column.coded,
                                 [&](auto& balance) { scan_table(balance, table, population, terms, space, found); });
                });
            return found;
        }
        const Ordered ordered = load_.load_marked(facts, feature, space, found.constant);
        if (found.constant) return found;
        found.n_cuts = ordered.n_cuts;
        found.n_evaluated = ordered.n_looks;
        each_population(
            facts, space, ordered.missing_rows, floor, found, [&](const Population& population, const Terms& terms) {
                if (load_.two_class_kernel(facts)) {
                    scan_two_classes(options_.measure, tables_, ordered.ones, ordered.sequence, population, terms,
                                     found);
                } else {
                    with_balance(space, facts, column.coded,
                                 [&](auto& balance) { scan(balance, ordered.sequence, population, terms, found); });
                }
            });
        return found;
    }

    // The first candidate of a feature, in its order, whose merit is at least `least`; kLeaf if there is none.
    // `best` is the largest merit met on the way. With `only`, the one candidate that a search found is looked at.
    Split judge(const Facts& facts, std::size_t feature, double least, const Found* only, Space& space,
                double& best) const {
        Split split;
        best = -std::numeric_limits<double>::infinity();
        auto weigh = [&](const Candidate& candidate) {
            const double merit = boxwood::merit(options_.measure, candidate.branches, facts.total, facts.weight);
            best = std::max(best, merit);
            if (merit < least) return false;
            candidates_.accept(facts, feature, candidate, space, split);
            split.merit = merit;
            split.gain = options_.measure.is_score()
                             ? gain(options_.measure, candidate.branches, facts.total, facts.weight)
                             : merit;
            return true;
        };
        if ((*sample_.columns)[feature].categorical && options_.categories == CategorySplit::kMultiway) {
            const std::int64_t missing_rows = load_.load_groups(facts, feature, space);
            for (const Multiway::Placed& placed : place_missing(facts, missing_rows, space)) {
                if (only != nullptr && !(placed.at == only->at && placed.side == only->missing)) continue;
                best = std::max(best, placed.merit);
                if (placed.merit < least) continue;
                accept_multiway(facts, feature, placed, missing_rows, space, split);
                return split;
            }
            candidates_.missing_test(facts, missing_rows, only, space, weigh);
            return split;
        }
        candidates_.each(facts, feature, only, space, weigh);
        return split;
    }

  private:
    using Cell = typename Load::Cell;
    using Ordered = typename Load::Ordered;
    using Table = typename Load::Table;

    std::size_t histogram_columns(std::size_t rows) const {
        return draws_ || !options_.histograms ? 0 : plan_.columns_for(rows);
    }
    Memory count(std::size_t begin, std::size_t end, std::size_t n_columns, Team& team) const {
        auto histogram = std::make_shared<Histogram<kUnit>>();
        histogram->n_columns = n_columns;
        histogram->count(plan_, sample_, begin, end, n_classes_, team);
        return histogram;
    }

    // --- running sums ---------------------------------------------------------------------------

    bool tsallis_serves(double weight) const { return tsallis_sums_serve(options_.measure.q, weight); }

    double search_error(double weight, double rows) const {
        switch (options_.measure.kind) {
            case Criterion::kEntropy:
            case Criterion::kGainRatio: return Space::Entropy::error(weight, rows);
            case Criterion::kTsallis:
                return tsallis_serves(weight) ? tsallis_error(options_.measure.q, weight, rows)
                                              : JudgedBalance::error(weight, rows);
            case Criterion::kError: return ErrorBalance::error(weight, rows);
            case Criterion::kAmbiguity: return AmbiguityBalance::error(n_classes_, weight, rows);
            case Criterion::kSine:
            case Criterion::kTwoing:
            case Criterion::kHellinger: return SineBalance::error(n_classes_, weight);
            default: return Space::Gini::error(weight, rows);
        }
    }

    // `few`: values of the column are few, so that many rows stand between two cuts.
    template <class Use>
    void with_balance(Space& space, const Facts& facts, bool few, Use use) const {
        switch (options_.measure.kind) {
            case Criterion::kEntropy:
            case Criterion::kGainRatio: use(space.entropy); break;
            case Criterion::kTsallis:
                if (tsallis_serves(facts.weight)) {
                    use(space.tsallis);
                } else {
                    use(space.judged);
                }
                break;
            case Criterion::kError: use(space.error); break;
            case Criterion::kAmbiguity:
                if (few && n_classes_ <= AmbiguityPerCut::kMostClasses) {
                    use(space.ambiguity_per_cut);
                } else {
                    use(space.ambiguity);
                }
                break;
            case Criterion::kSine: use(space.sine); break;
            case Criterion::kTwoing: use(space.twoing); break;
            case Criterion::kHellinger: use(space.hellinger); break;
            default: use(space.gini); break;
        }
    }

    Found search_by_judging(const Facts& facts, std::size_t feature, Space& space) const {
        Found found;
        candidates_.each(facts, feature, nullptr, space, [&](const Candidate& candidate) {
            const double value = facts.weight * merit(options_.measure, candidate.branches, facts.total, facts.weight);
            if (candidate.is_missing_test) {
                found.offer_missing_test(value, facts.slack);
            } else {
                found.offer(value, facts.slack, candidate.at, candidate.side);
            }
            return false;
        });
        found.n_cuts = space.n_cuts;
        found.n_evaluated = space.n_candidates;
        return found;
    }

    // Calls use(population, terms) for each way to place the missing rows, then offers the missing test.
    template <class Use>
    void each_population(const Facts& facts, Space& space, std::int64_t missing_rows, double floor, Found& found,
                         Use use) const {
        space.zero.assign(n_classes_, 0.0);
        Population all{facts.total, facts.weight, facts.rows(), facts.worth, space.zero, 0.0,
                       0,           {},           facts.total,  facts.weight};
        Terms terms{0.0, facts.slack, floor, load_.minimum(), Side::kNone};
        if (missing_rows == 0) {
            use(all, terms);
            return;
        }
        const Measure& measure = options_.measure;
        const double weight = Load::missing_weight(space);
        space.known.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) space.known[k] = facts.total[k] - space.missing[k];
        const std::int64_t known_rows = facts.rows() - missing_rows;
        const double known_weight = facts.weight - weight;
        double parted = 0, known_worth = 0;
        if (measure.is_score()) {
            if (known_rows > 0) {
                const Branches branches{2, {space.missing, space.known, {}}, {weight, known_weight, 0}};
                parted = facts.weight * merit(measure, branches, facts.total, facts.weight);
            }
        } else {
            known_worth = worth(measure, space.known, known_weight);
            parted = known_worth + worth(measure, space.missing, weight) - facts.worth;
        }
        if (load_.own_branch(missing_rows, weight)) {
            terms.side = Side::kOwn;
            terms.constant = measure.is_score() ? 0.0 : parted;
            use({space.known, known_weight, known_rows, known_worth, space.zero, 0.0, 0, space.missing, facts.total,
                 facts.weight},
                terms);
        } else {
            terms.side = Side::kRight;
            use(all, terms);
            terms.side = Side::kLeft;
            all.base = space.missing;
            all.base_weight = weight;
            all.base_rows = missing_rows;
            use(all, terms);
        }
        if (load_.minimum().allows(missing_rows, weight) && load_.minimum().allows(known_rows, known_weight)) {
            found.offer_missing_test(parted, facts.slack);
        }
    }

    // Fills space.pure: by value, the class of its rows if they have only one; counts the cuts.
    void mark_table(const Table& table, Space& space, Found& found) const {
        space.pure.assign(table.n_values, -1);
        std::int32_t before = -2;  // no value came before
        for (std::size_t g = 0; g < table.n_values; ++g) {
            std::int32_t classes = 0, last = -1;
            for (std::size_t k = 0; k < n_classes_; ++k) {
                if (table.cells[g * n_classes_ + k] == Cell{}) continue;
                ++classes;
                last = static_cast<std::int32_t>(k);
            }
            if (classes == 0) continue;
            space.pure[g] = classes == 1 ? last : -1;
            if (before != -2) {
                ++found.n_cuts;
                found.n_evaluated += load_.rule() != CutRule::kBoundaries || before < 0 || before != space.pure[g];
            }
            before = space.pure[g];
        }
    }

    template <class Balance>
    void scan_table(Balance& balance, const Table& table, const Population& population, const Terms& terms,
                    const Space& space, Found& found) const {
        balance.start(population.sides());
        const double offset = terms.constant - population.worth;
        const auto allows = [&](std::int64_t left_rows, double left_weight) {
            return terms.minimum.allows(left_rows, left_weight) &&
                   terms.minimum.allows(population.rows - left_rows, population.weight - left_weight);
        };
        std::int64_t rows = population.base_rows;
        const std::int64_t end = rows + table.known_rows;
        double weight = population.base_weight;
        bool first = true;
        for (std::size_t g = next_value(table, 0); rows < end; g = next_value(table, g + 1)) {
            rows += table.rows_of(g, n_classes_);
            if (rows == end) return;
            for (std::size_t k = 0; k < n_classes_; ++k) {
                const Cell c = table.cells[g * n_classes_ + k];
                if (c == Cell{}) continue;
                balance.move_many(k, static_cast<double>(c));
                weight += static_cast<double>(c);
            }
            if (!allows(rows, weight)) continue;
            if (!first && load_.rule() == CutRule::kBoundaries && space.pure[g] >= 0) {
                // Inside a run of one class only the last cut that is allowed matters.
                const std::size_t next = next_value(table, g + 1);
                const std::int64_t more = table.rows_of(next, n_classes_);
                const auto k = static_cast<std::size_t>(space.pure[g]);
                if (space.pure[next] == space.pure[g] && rows + more < end &&
                    allows(rows + more, weight + static_cast<double>(table.cells[next * n_classes_ + k]))) {
                    continue;
                }
            }
            first = false;
            found.feasible = true;
            if (!balance.reaches(std::max(terms.floor, found.value) - terms.slack - offset)) continue;
            found.offer(balance.worth() + offset, terms.slack, static_cast<std::uint32_t>(g), terms.side,
                        terms.side != Side::kOwn ? weight : 0.0);
        }
    }
    std::size_t next_value(const Table& table, std::size_t g) const {
        while (g < table.n_values && table.rows_of(g, n_classes_) == 0) ++g;
        return g;
    }

    void search_groups(const Facts& facts, std::size_t feature, Space& space, std::int64_t missing_rows,
                       Found& found) const {
        candidates_.group(facts, feature, space.groups, space.group_search);
        const double floor = -std::numeric_limits<double>::infinity();
        each_population(
            facts, space, missing_rows, floor, found, [&](const Population& population, const Terms& terms) {
                if (space.group_search.grouping == Grouping::kAlone) {
                    scan_alone(options_.measure, space.groups, space.group_search, population, terms, found);
                } else if (space.group_search.grouping == Grouping::kSubset) {
                    scan_subsets(options_.measure, space.group_search.values.rows, population, terms, found);
                } else {
                    with_balance(space, facts, true, [&](auto& balance) {
                        scan_prefixes(balance, space.groups, space.group_search, population, terms, found);
                    });
                    weigh_chosen(options_.measure, space.groups, space.group_search, population, terms, found);
                }
            });
    }

    // --- one branch per category ----------------------------------------------------------------

    const std::vector<Multiway::Placed>& place_missing(const Facts& facts, std::int64_t missing_rows,
                                                       Space& space) const {
        const double missing = missing_rows > 0 ? Load::missing_weight(space) : 0.0;
        MultiwayNode node{facts.total,    facts.weight, space.missing,
                          missing,        missing_rows, missing_rows > 0 && load_.own_branch(missing_rows, missing),
                          load_.minimum()};
        if (!options_.monotonic.empty()) {
            node.lower = facts.bounds.lower;
            node.upper = facts.bounds.upper;
        }
        return space.multiway.list(options_.measure, space.groups, node);
    }

    Found search_multiway(const Facts& facts, std::size_t feature, Space& space) const {
        Found found;
        const std::int64_t missing_rows = load_.load_groups(facts, feature, space);
        found.constant = space.groups.size() == 0 || (space.groups.size() == 1 && missing_rows == 0);
        if (found.constant) return found;
        for (const Multiway::Placed& placed : place_missing(facts, missing_rows, space)) {
            found.offer(facts.weight * placed.merit, facts.slack, placed.at, placed.side);
        }
        candidates_.missing_test(facts, missing_rows, nullptr, space, [&](const Candidate& candidate) {
            found.offer_missing_test(
                facts.weight * merit(options_.measure, candidate.branches, facts.total, facts.weight), facts.slack);
            return true;
        });
        return found;
    }

    // Categories in the order of their codes have the branches 0, 1, ...; then come the missing rows, if alone.
    void accept_multiway(const Facts& facts, std::size_t feature, const Multiway::Placed& placed,
                         std::int64_t missing_rows, const Space& space, Split& split) const {
        const Groups& groups = space.groups;
        const std::size_t n = groups.size();
        split.kind = Kind::kMultiway;
        split.feature = feature;
        split.make_branches(n + (placed.side == Side::kOwn ? 1 : 0));
        split.sums.assign(split.n_branches * n_classes_, 0.0);
        for (std::size_t g = 0; g < n; ++g) {
            for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
                split.sums[g * n_classes_ + groups.label[i]] = groups.count[i];
            }
            split.rows[g] = groups.rows[g];
            split.weight[g] = groups.weight[g];
        }
        split.category_code = groups.code;
        split.category_branch.resize(n);
        std::iota(split.category_branch.begin(), split.category_branch.end(), 0);
        if (placed.side == Side::kNone) {
            split.missing_branch = split.heaviest();
        } else {
            const std::size_t branch = placed.side == Side::kOwn ? n : placed.at;
            split.missing_branch = static_cast<std::int32_t>(branch);
            split.rows[branch] += missing_rows;
            split.weight[branch] += Load::missing_weight(space);
            for (std::size_t k = 0; k < n_classes_; ++k) split.sums[branch * n_classes_ + k] += space.missing[k];
        }
        split.merit = split.gain = placed.merit;
        if (!options_.measure.is_score()) return;
        split.gain = 0;
        for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
            split.gain +=
                gain_part(options_.measure, split.sums_of(branch), split.weight[branch], facts.total, facts.weight);
        }
    }

    HistogramPlan plan_;
    Load load_;
    Candidates<Index, kUnit> candidates_;
    const Sample<Index>& sample_;
    const Growth& growth_;
    std::size_t n_classes_;
    const Options& options_;
    const CountTables& tables_;
    bool draws_;
    bool judges_only_;
    std::vector<std::uint16_t> labels_;  // of the node being split
};

// Compiled in searcher.cpp.
extern template class ClassSearcher<std::uint16_t, true>;
extern template class ClassSearcher<std::uint16_t, false>;
extern template class ClassSearcher<std::uint32_t, true>;
extern template class ClassSearcher<std::uint32_t, false>;

}  // namespace boxwood
