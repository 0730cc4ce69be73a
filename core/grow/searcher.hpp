// One node and one feature: from rows to the best split.
//
// search() finds the value of a feature's best candidate quickly, over running
// sums. judge() goes over the candidates of a feature again, in order, and
// weighs them from exact counts until one is good enough: ties and final scores
// come from there. Both see the same candidates:
//   a cut with no missing rows at the node; or each cut with the missing rows on
//   its right, then on its left ("learn"), or in a third branch ("branch", where
//   the leaf minima allow one); and last "missing against the rest".
#pragma once

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
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
          sample_(sample),
          columns_(columns),
          n_classes_(n_classes),
          options_(options) {
        minimum_ = {std::max<std::int64_t>(1, options.min_samples_leaf), options.min_weight_leaf};
        if constexpr (kUnit) {  // a minimum weight is a minimum number of rows
            minimum_.rows = std::max(minimum_.rows, static_cast<std::int64_t>(std::ceil(minimum_.weight)));
        }
    }

    const Minimum& minimum() const { return minimum_; }

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
        each_population(facts, space, ordered.missing_rows, floor, found,
                        [&](const Population& population, const Terms& terms) {
                            if (load_.two_class_kernel(facts)) {
                                scan_two_classes(ordered.ones, ordered.sequence.change, population, terms, found);
                            } else {
                                with_balance(space, [&](auto& balance) {
                                    scan(balance, ordered.sequence, population, terms, found);
                                });
                            }
                        });
        return found;
    }

    // The first candidate of a feature, in its order, whose gain is at least `least`; kLeaf if there is none.
    // `best` is the largest gain met on the way. With `only`, the one candidate that a search found is looked at.
    Split judge(const Facts& facts, std::size_t feature, double least, const Found* only, Space& space,
                double& best) const {
        Split split;
        split.feature = feature;
        best = -std::numeric_limits<double>::infinity();
        const RankedColumn& column = (*sample_.columns)[feature];
        if (column.categorical) {
            judge_groups(facts, feature, space, least, split, best);
            return split;
        }
        const Cell* cells = load_.histogram_of(facts, feature);
        std::int64_t missing_rows = 0;
        const auto look = [&](std::size_t at, std::int64_t left_rows, double left_weight) {
            if (only != nullptr && (only->is_missing_test || only->at != at)) return;
            weigh_cut(facts, space, missing_rows, at, left_rows, left_weight, least, split, best);
        };
        space.left.assign(n_classes_, 0.0);
        if (cells != nullptr) {
            const Table table = load_.load_table(facts, feature, cells, space);
            missing_rows = table.missing_rows;
            std::int64_t rows = 0;
            double weight = 0;
            for (std::size_t g = 0; g < table.n_values && split.kind == Kind::kLeaf; ++g) {
                const std::int64_t here = table.rows_of(g, n_classes_);
                if (here == 0) continue;
                rows += here;
                for (std::size_t k = 0; k < n_classes_; ++k) {
                    const auto c = static_cast<double>(table.cells[g * n_classes_ + k]);
                    space.left[k] += c;
                    weight += c;
                }
                if (rows == table.known_rows) break;
                look(g, rows, weight);
            }
        } else {
            bool constant = false;
            const Ordered ordered = load_.load_sequence(facts, feature, space, constant);
            missing_rows = ordered.missing_rows;
            const bool prefix = load_.two_class_kernel(facts);
            double weight = 0;
            const auto change = ordered.sequence.change;
            const bool jump = prefix && only != nullptr && only->at > 0;
            for (std::size_t i = jump ? only->at - 1 : 0; i + 1 < change.size() && split.kind == Kind::kLeaf; ++i) {
                if (!prefix) {
                    const double w = kUnit ? 1.0 : ordered.sequence.weight[i];
                    space.left[ordered.sequence.label[i]] += w;
                    weight += w;
                }
                if (!change[i]) continue;
                if (prefix) {
                    space.left[1] = ordered.ones[i];
                    space.left[0] = static_cast<double>(i + 1) - space.left[1];
                    weight = static_cast<double>(i + 1);
                }
                look(i + 1, static_cast<std::int64_t>(i + 1), weight);
            }
        }
        if (split.kind == Kind::kLeaf && (only == nullptr || only->is_missing_test)) {
            weigh_missing_test(facts, space, missing_rows, least, split, best);
        }
        if (split.kind == Kind::kThreshold) place_threshold(facts, feature, cells != nullptr, space, split);
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
                if (i > 0 && items[i].rank != items[i - 1].rank) ++group;
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

    static double missing_weight(const Space& space) {
        return std::accumulate(space.missing.begin(), space.missing.end(), 0.0);
    }
    bool own_branch(std::int64_t missing_rows, double weight) const {
        return options_.missing == MissingMode::kBranch && minimum_.allows(missing_rows, weight);
    }

    // Calls use(population, terms) for each way to place the missing rows, then offers the missing test.
    template <class Use>
    void each_population(const Facts& facts, Space& space, std::int64_t missing_rows, double floor, Found& found,
                         Use use) const {
        space.zero.assign(n_classes_, 0.0);
        Population all{facts.total, facts.weight, facts.rows(), facts.worth, space.zero, 0.0, 0};
        Terms terms{0.0, facts.slack, floor, minimum_, Side::kNone};
        if (missing_rows == 0) {
            use(all, terms);
            return;
        }
        const double weight = missing_weight(space);
        space.known.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) space.known[k] = facts.total[k] - space.missing[k];
        const double known_worth = worth(options_.criterion, space.known, facts.weight - weight);
        const double parted = known_worth + worth(options_.criterion, space.missing, weight) - facts.worth;
        const std::int64_t known_rows = facts.rows() - missing_rows;
        if (own_branch(missing_rows, weight)) {
            terms.side = Side::kOwn;
            terms.constant = parted;
            use({space.known, facts.weight - weight, known_rows, known_worth, space.zero, 0.0, 0}, terms);
        } else {
            terms.side = Side::kRight;
            use(all, terms);
            terms.side = Side::kLeft;
            use({facts.total, facts.weight, facts.rows(), facts.worth, space.missing, weight, missing_rows}, terms);
        }
        if (minimum_.allows(missing_rows, weight) && minimum_.allows(known_rows, facts.weight - weight)) {
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

    // --- judging cuts -------------------------------------------------------------------------

    double branch(std::span<const double> counts, double weight, const Facts& facts) const {
        return branch_gain(options_.criterion, counts, weight, facts.total, facts.weight);
    }

    // Two branches with these counts on the left; fills the split if it is good enough.
    void weigh(const Facts& facts, Space& space, std::span<const double> left, std::int64_t left_rows,
               double left_weight, double least, Split& split, double& best) const {
        const std::int64_t right_rows = facts.rows() - left_rows;
        const double right_weight = facts.weight - left_weight;
        if (!minimum_.allows(left_rows, left_weight) || !minimum_.allows(right_rows, right_weight)) return;
        space.right.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) space.right[k] = facts.total[k] - left[k];
        split.gain = branch(left, left_weight, facts) + branch(space.right, right_weight, facts);
        best = std::max(best, split.gain);
        if (split.gain < least) return;
        split.kind = Kind::kThreshold;
        split.n_branches = 2;
        split.counts.assign(left.begin(), left.end());
        split.counts.insert(split.counts.end(), space.right.begin(), space.right.end());
        split.rows = {left_rows, right_rows, 0};
        split.weight = {left_weight, right_weight, 0};
        split.missing_branch = right_weight > left_weight ? 1 : 0;
    }

    // A cut with the counts of its known left rows in space.left.
    void weigh_cut(const Facts& facts, Space& space, std::int64_t missing_rows, std::size_t at, std::int64_t left_rows,
                   double left_weight, double least, Split& split, double& best) const {
        split.cut = at;
        if (missing_rows == 0) {
            weigh(facts, space, space.left, left_rows, left_weight, least, split, best);
            return;
        }
        const double missing = missing_weight(space);
        if (own_branch(missing_rows, missing)) {
            weigh_three(facts, space, missing_rows, missing, left_rows, left_weight, least, split, best);
            return;
        }
        weigh(facts, space, space.left, left_rows, left_weight, least, split, best);
        if (split.kind != Kind::kLeaf) {
            split.missing_branch = 1;
            return;
        }
        space.side.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) space.side[k] = space.left[k] + space.missing[k];
        weigh(facts, space, space.side, left_rows + missing_rows, left_weight + missing, least, split, best);
        if (split.kind != Kind::kLeaf) split.missing_branch = 0;
    }

    void weigh_three(const Facts& facts, Space& space, std::int64_t missing_rows, double missing, std::int64_t left_rows,
                     double left_weight, double least, Split& split, double& best) const {
        const std::int64_t right_rows = facts.rows() - missing_rows - left_rows;
        const double right_weight = facts.weight - missing - left_weight;
        if (!minimum_.allows(left_rows, left_weight) || !minimum_.allows(right_rows, right_weight)) return;
        space.right.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) {
            space.right[k] = facts.total[k] - space.missing[k] - space.left[k];
        }
        split.gain = branch(space.left, left_weight, facts) + branch(space.right, right_weight, facts) +
                     branch(space.missing, missing, facts);
        best = std::max(best, split.gain);
        if (split.gain < least) return;
        split.kind = Kind::kThreshold;
        split.n_branches = 3;
        split.counts.assign(space.left.begin(), space.left.end());
        split.counts.insert(split.counts.end(), space.right.begin(), space.right.end());
        split.counts.insert(split.counts.end(), space.missing.begin(), space.missing.end());
        split.rows = {left_rows, right_rows, missing_rows};
        split.weight = {left_weight, right_weight, missing};
        split.missing_branch = 2;
    }

    void weigh_missing_test(const Facts& facts, Space& space, std::int64_t missing_rows, double least, Split& split,
                            double& best) const {
        if (missing_rows == 0 || missing_rows == facts.rows()) return;
        weigh(facts, space, space.missing, missing_rows, missing_weight(space), least, split, best);
        if (split.kind == Kind::kLeaf) return;
        split.kind = Kind::kIsMissing;
        split.missing_branch = 0;
    }

    // The midpoint of the two neighbouring values; the lower one where the midpoint rounds to the upper.
    void place_threshold(const Facts& facts, std::size_t feature, bool table, const Space& space, Split& split) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        double below = 0, above = 0;
        if (column.coded) {
            std::size_t next = split.cut + 1;
            if (table) {
                const Cell* cells = load_.histogram_of(facts, feature);
                const auto empty = [&](std::size_t g) {
                    return std::all_of(cells + g * n_classes_, cells + (g + 1) * n_classes_,
                                       [](Cell c) { return c == Cell{}; });
                };
                while (empty(next)) ++next;
            } else {
                const auto code = [&](std::size_t i) {
                    return sample_.code(sample_.rows[facts.begin + space.keys[i]], column.slot);
                };
                next = code(split.cut);
                split.cut = code(split.cut - 1);
            }
            below = column.values[split.cut];
            above = column.values[next];
        } else {
            const auto items = load_.items_of(facts, column);
            below = columns_[feature].number(sample_.origin_of(items[split.cut - 1].row));
            above = columns_[feature].number(sample_.origin_of(items[split.cut].row));
        }
        split.threshold = std::midpoint(below, above);
        if (!(split.threshold < above)) split.threshold = below;
    }

    // --- categories ---------------------------------------------------------------------------

    void search_groups(const Facts& facts, Space& space, std::int64_t missing_rows, Found& found) const {
        prepare(space.group_search, space.groups, facts.total);
        each_population(facts, space, missing_rows, 0.0, found, [&](const Population& population, Terms terms) {
            terms.slack = facts.weight * facts.tolerance();
            if (space.group_search.grouping == Grouping::kSubset) {
                scan_subsets(options_.criterion, space.groups, population, terms, found);
            } else {
                with_balance(space, [&](auto& balance) {
                    scan_prefixes(balance, space.groups, space.group_search, population, terms, found);
                });
            }
        });
    }

    void judge_groups(const Facts& facts, std::size_t feature, Space& space, double least, Split& split,
                      double& best) const {
        const std::int64_t missing_rows = load_.load_groups(facts, feature, space);
        const Groups& groups = space.groups;
        if (groups.size() == 0 || (groups.size() == 1 && missing_rows == 0)) return;
        Found found;
        search_groups(facts, space, missing_rows, found);
        if (!found.feasible) return;
        if (found.is_missing_test) {
            weigh_missing_test(facts, space, missing_rows, least, split, best);
            return;
        }
        std::vector<bool> chosen(groups.size());
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (space.group_search.grouping == Grouping::kSubset) {
                chosen[i] = (found.at >> i & 1) != 0;
            } else {
                chosen[space.group_search.order[i]] = i < found.at;
            }
        }
        // The lowest category present is in branch 0.
        const bool turned = !chosen[0];
        Side side = found.missing;
        if (turned && side == Side::kLeft) {
            side = Side::kRight;
        } else if (turned && side == Side::kRight) {
            side = Side::kLeft;
        }
        space.left.assign(n_classes_, 0.0);
        std::int64_t rows = 0;
        double weight = 0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (chosen[g] == turned) continue;
            for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) space.left[groups.label[i]] += groups.count[i];
            rows += groups.rows[g];
            weight += groups.weight[g];
        }
        const double missing = missing_weight(space);
        if (side == Side::kOwn) {
            weigh_three(facts, space, missing_rows, missing, rows, weight, least, split, best);
        } else if (side == Side::kLeft) {
            for (std::size_t k = 0; k < n_classes_; ++k) space.left[k] += space.missing[k];
            weigh(facts, space, space.left, rows + missing_rows, weight + missing, least, split, best);
        } else {
            weigh(facts, space, space.left, rows, weight, least, split, best);
        }
        if (split.kind == Kind::kLeaf) return;
        split.kind = Kind::kSubset;
        if (side == Side::kLeft) split.missing_branch = 0;
        if (side == Side::kRight) split.missing_branch = 1;
        split.category_code = groups.code;
        split.category_branch.resize(groups.size());
        for (std::size_t g = 0; g < groups.size(); ++g) split.category_branch[g] = chosen[g] == turned ? 1 : 0;
    }

    Load load_;
    const Sample<Index>& sample_;
    std::span<const Column> columns_;
    std::size_t n_classes_;
    const Options& options_;
    Minimum minimum_;
};

}  // namespace boxwood
