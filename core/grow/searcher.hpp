// One node and one feature: from rows to the best split.
//
// search() finds the value of a feature's best candidate quickly, over running
// sums; judge() weighs candidates from exact counts, in order, until one is good
// enough: ties and final scores come from there.
#pragma once

#include <limits>
#include <span>

#include "criteria/criterion.hpp"
#include "grow/candidates.hpp"
#include "grow/loader.hpp"
#include "grow/split.hpp"
#include "search/categorical/search.hpp"
#include "search/found.hpp"

namespace boxwood {

template <class Index, bool kUnit>
class Searcher {
  public:
    using Load = Loader<Index, kUnit>;
    using Facts = NodeFacts<kUnit>;
    using Space = Scratch<kUnit>;
    using Cell = typename Load::Cell;
    using Ordered = typename Load::Ordered;
    using Table = typename Load::Table;

    Searcher(const Sample<Index>& sample, std::span<const Column> columns, std::size_t n_classes,
             const Options& options, const HistogramPlan& plan)
        : load_(sample, columns, n_classes, options, plan),
          candidates_(load_, sample, columns, n_classes),
          sample_(sample),
          n_classes_(n_classes),
          options_(options) {}
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    const Candidates<Index, kUnit>& candidates() const { return candidates_; }

    void fill_bounds(Facts& facts) const {
        facts.worth = worth(options_.criterion, facts.total, facts.weight);
        const auto rows = static_cast<double>(facts.rows());
        facts.error = uses_entropy(options_.criterion) ? Space::Entropy::error(facts.weight, rows)
                                                       : Space::Gini::error(facts.weight, rows);
        facts.slack = facts.weight * facts.tolerance() + 2 * facts.error;
    }

    // The best candidate of a feature; nothing below `floor` need be found.
    Found search(const Facts& facts, std::size_t feature, Space& space, double floor) const {
        Found found;
        const RankedColumn& column = (*sample_.columns)[feature];
        if (column.categorical) {
            const std::int64_t missing_rows = load_.load_groups(facts, feature, space);
            found.constant = space.groups.size() == 0 || (space.groups.size() == 1 && missing_rows == 0);
            if (!found.constant) search_groups(facts, space, missing_rows, found);
            return found;
        }
        const Cell* cells = load_.histogram_of(facts, feature);
        if (cells != nullptr) {
            const Table table = load_.load_table(facts, feature, cells, space);
            found.constant = table.n_present == 0 || (table.n_present == 1 && table.missing_rows == 0);
            if (!found.constant) {
                each_population(facts, space, table.missing_rows, floor, found,
                                [&](const Population& population, const Terms& terms) {
                                    with_balance(space, [&](auto& balance) {
                                        scan_table(balance, table, population, terms, found);
                                    });
                                });
            }
            return found;
        }
        const Ordered ordered = load_.load_sequence(facts, feature, space, found.constant);
        if (found.constant) return found;
        each_population(
            facts, space, ordered.missing_rows, floor, found, [&](const Population& population, const Terms& terms) {
                if (load_.two_class_kernel(facts)) {
                    scan_two_classes(ordered.ones, ordered.sequence.change, population, terms, found);
                } else {
                    with_balance(space,
                                 [&](auto& balance) { scan(balance, ordered.sequence, population, terms, found); });
                }
            });
        return found;
    }

    // The first candidate of a feature, in its order, whose gain is at least `least`; kLeaf if there is none.
    // `best` is the largest gain met on the way. With `only`, the one candidate that a search found is looked at.
    Split judge(const Facts& facts, std::size_t feature, double least, const Found* only, Space& space,
                double& best) const {
        Split split;
        best = -std::numeric_limits<double>::infinity();
        candidates_.each(facts, feature, only, space, [&](const Candidate& candidate) {
            double gain = 0;
            for (std::size_t branch = 0; branch < candidate.n_branches; ++branch) {
                gain += branch_gain(options_.criterion, candidate.counts[branch], candidate.weight[branch], facts.total,
                                    facts.weight);
            }
            best = std::max(best, gain);
            if (gain < least) return false;
            candidates_.accept(facts, feature, candidate, space, split);
            split.gain = gain;
            return true;
        });
        return split;
    }

    // Writes the branch of every row of the node.
    void assign_branches(const Facts& facts, const Split& split, std::vector<std::uint8_t>& branch) const {
        const RankedColumn& column = (*sample_.columns)[split.feature];
        const auto missing = static_cast<std::uint8_t>(split.missing_branch);
        const bool test = split.kind == Kind::kIsMissing;
        if (column.coded) {
            std::array<std::uint8_t, kMostCoded + 1> of_code{};
            if (test) {
                of_code.fill(1);
                of_code[column.n_values] = 0;
            } else {
                if (split.kind == Kind::kThreshold) {
                    for (std::size_t code = 0; code < column.n_values; ++code) of_code[code] = code > split.cut;
                } else {
                    for (std::size_t i = 0; i < split.category_code.size(); ++i) {
                        of_code[static_cast<std::size_t>(split.category_code[i])] = split.category_branch[i];
                    }
                }
                of_code[column.n_values] = missing;
            }
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                const std::size_t row = sample_.rows[i];
                branch[row] = of_code[sample_.code(row, column.slot)];
            }
            return;
        }
        const auto items = load_.items_of(facts, column);
        const std::size_t known = load_.known_of(items, column);
        if (test || split.kind == Kind::kThreshold) {
            const std::size_t cut = test ? 0 : split.cut;
            for (std::size_t i = 0; i < known; ++i) branch[items[i].row] = i >= cut;
        } else {
            std::size_t group = 0;
            for (std::size_t i = 0; i < known; ++i) {
                if (i > 0 && sample_.differ(items[i - 1], items[i], column.slot)) ++group;
                branch[items[i].row] = split.category_branch[group];
            }
        }
        for (std::size_t i = known; i < items.size(); ++i) branch[items[i].row] = test ? 0 : missing;
    }

  private:
    template <class Use>
    void with_balance(Space& space, Use use) const {
        if (uses_entropy(options_.criterion)) {
            use(space.entropy);
        } else {
            use(space.gini);
        }
    }

    // Calls use(population, terms) for each way to place the missing rows, then offers the missing test.
    template <class Use>
    void each_population(const Facts& facts, Space& space, std::int64_t missing_rows, double floor, Found& found,
                         Use use) const {
        space.zero.assign(n_classes_, 0.0);
        Population all{facts.total, facts.weight, facts.rows(), facts.worth, space.zero, 0.0, 0};
        Terms terms{0.0, facts.slack, floor, load_.minimum(), Side::kNone};
        if (missing_rows == 0) {
            use(all, terms);
            return;
        }
        const double weight = Load::missing_weight(space);
        space.known.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) space.known[k] = facts.total[k] - space.missing[k];
        const double known_worth = worth(options_.criterion, space.known, facts.weight - weight);
        const double parted = known_worth + worth(options_.criterion, space.missing, weight) - facts.worth;
        const std::int64_t known_rows = facts.rows() - missing_rows;
        if (load_.own_branch(missing_rows, weight)) {
            terms.side = Side::kOwn;
            terms.constant = parted;
            use({space.known, facts.weight - weight, known_rows, known_worth, space.zero, 0.0, 0}, terms);
        } else {
            terms.side = Side::kRight;
            use(all, terms);
            terms.side = Side::kLeft;
            use({facts.total, facts.weight, facts.rows(), facts.worth, space.missing, weight, missing_rows}, terms);
        }
        if (load_.minimum().allows(missing_rows, weight) && load_.minimum().allows(known_rows, facts.weight - weight)) {
            found.offer_missing_test(parted, facts.slack);
        }
    }

    template <class Balance>
    void scan_table(Balance& balance, const Table& table, const Population& population, const Terms& terms,
                    Found& found) const {
        balance.start(population.base, population.total);
        const double offset = terms.constant - population.worth;
        std::int64_t known = 0;
        double weight = population.base_weight;
        for (std::size_t g = 0; g < table.n_values; ++g) {
            const std::int64_t rows = table.rows_of(g, n_classes_);
            if (rows == 0) continue;
            known += rows;
            if (known == table.known_rows) return;
            for (std::size_t k = 0; k < n_classes_; ++k) {
                const Cell c = table.cells[g * n_classes_ + k];
                if (c == Cell{}) continue;
                balance.move_many(k, static_cast<double>(c));
                weight += static_cast<double>(c);
            }
            const std::int64_t left = known + population.base_rows;
            if (!terms.minimum.allows(left, weight) ||
                !terms.minimum.allows(population.rows - left, population.weight - weight)) {
                continue;
            }
            found.offer(balance.worth() + offset, terms.slack, static_cast<std::uint32_t>(g), terms.side);
        }
    }

    void search_groups(const Facts& facts, Space& space, std::int64_t missing_rows, Found& found) const {
        prepare(space.group_search, space.groups, facts.total);
        each_population(facts, space, missing_rows, 0.0, found, [&](const Population& population, const Terms& terms) {
            if (space.group_search.grouping == Grouping::kSubset) {
                scan_subsets(options_.criterion, space.groups, population, terms, found);
            } else {
                with_balance(space, [&](auto& balance) {
                    scan_prefixes(balance, space.groups, space.group_search, population, terms, found);
                });
            }
        });
    }

    Load load_;
    Candidates<Index, kUnit> candidates_;
    const Sample<Index>& sample_;
    std::size_t n_classes_;
    const Options& options_;
};

}  // namespace boxwood
