// All candidate splits of one feature at one node, in order, with exact counts.
//
// Numeric features: the cuts that the rule names (cut_rule.hpp), by threshold, or
// the one that is drawn; categorical features: every prefix or subset that their
// search gives. Where rows lack a value, each with
// them on the right, then on the left ("learn"), or in a third branch ("branch",
// where the minima allow one); last, "missing against the rest". With surrogates, a
// candidate is about the rows that have a value, and what it is worth counts by their
// share of the node's weight.
// Only candidates that the leaf minima and monotonic constraints allow are visited.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "grow/loader.hpp"
#include "grow/random.hpp"
#include "grow/split.hpp"
#include "search/candidate.hpp"
#include "search/categorical/one_vs_rest.hpp"
#include "search/categorical/search.hpp"
#include "search/cut_rule.hpp"

namespace boxwood {

template <class Index, bool kUnit>
class Candidates {
  public:
    using Load = Loader<Index, kUnit>;
    using Facts = NodeFacts<kUnit>;
    using Space = Scratch<kUnit>;
    using Cell = typename Load::Cell;

    Candidates(const Load& load, const Sample<Index>& sample, const Growth& growth)
        : load_(load),
          sample_(sample),
          columns_(growth.columns),
          n_classes_(growth.n_classes),
          options_(growth.options) {}

    // Calls visit(candidate) until it returns true. With `only`, just the candidate that a search found.
    void each(const Facts& facts, std::size_t feature, const Found* only, Space& space, Visit visit) const {
        space.n_cuts = space.n_candidates = 0;
        space.rising = options_.monotonic.empty() ? 0 : options_.monotonic[feature];
        if ((*sample_.columns)[feature].categorical) {
            each_grouping(facts, feature, only, space, visit);
        } else if (const Cell* cells = load_.histogram_of(facts, feature)) {
            each_cut_of_table(facts, feature, cells, only, space, visit);
        } else {
            each_cut_of_sequence(facts, feature, only, space, visit);
        }
    }

    // Writes a candidate down as a split. Nothing else may have been loaded into `space` since it was visited.
    void accept(const Facts& facts, std::size_t feature, const Candidate& candidate, const Space& space,
                Split& split) const {
        split.feature = feature;
        const Branches& branches = candidate.branches;
        split.n_branches = branches.n;
        split.rows = candidate.rows;
        split.weight = branches.weight;
        split.sums.clear();
        for (std::size_t branch = 0; branch < branches.n; ++branch) {
            split.sums.insert(split.sums.end(), branches.counts[branch].begin(), branches.counts[branch].end());
        }
        switch (candidate.side) {
            case Side::kLeft: split.missing_branch = 0; break;
            case Side::kRight: split.missing_branch = 1; break;
            case Side::kOwn: split.missing_branch = 2; break;
            case Side::kNone: split.missing_branch = split.weight[1] > split.weight[0] ? 1 : 0; break;
        }
        if (candidate.is_missing_test) {
            split.kind = Kind::kIsMissing;
            split.missing_branch = 0;
        } else if ((*sample_.columns)[feature].categorical) {
            accept_grouping(candidate, space, split);
        } else {
            split.kind = Kind::kThreshold;
            split.cut = candidate.at;
            place_threshold(facts, feature, space, split);
        }
    }

    // Decides how the groups will be searched.
    void group(const Facts& facts, std::size_t feature, const Groups& groups, GroupSearch& search) const {
        if (options_.categories == CategorySplit::kOneVsRest) {
            set_alone(search, groups, options_.random_cuts, unit_draw(facts.key, feature));
        } else if (!options_.random_cuts) {
            prepare(search, groups, facts.total, request(facts, groups));
        } else if (groups.size() > 1) {
            draw_grouping(search, groups, [&](std::int32_t code) { return bit_draw(facts.key, feature, code); });
        } else {
            search = {};
        }
    }

    // "Missing against the rest". The feature's rows without a value have been counted into `space`.
    void missing_test(const Facts& facts, std::int64_t missing_rows, const Found* only, Space& space,
                      Visit visit) const {
        if (missing_rows == 0 || missing_rows == facts.rows() || options_.missing == MissingMode::kSurrogate) return;
        Candidate candidate = halves(facts, space.missing, missing_rows, Load::missing_weight(space), space);
        candidate.is_missing_test = true;
        if ((only == nullptr || candidate.is(*only)) && allowed(facts, candidate, 0)) visit(candidate);
    }

  private:
    GroupRequest request(const Facts& facts, const Groups& groups) const {
        const bool given = options_.measure.kind == Criterion::kGiven;
        GroupRequest request;
        request.method = options_.categories;
        request.measure = given ? options_.search_measure : options_.measure;
        request.concave = options_.measure.rule(n_classes_) == CutRule::kBoundaries;
        request.constrained = !options_.monotonic.empty();
        request.mixing = options_.mixing;
        Room& room = request.room;
        room.minimum = load_.minimum();
        for (std::size_t g = 0; g < groups.size(); ++g) {
            room.known_rows += groups.rows[g];
            room.known += groups.weight[g];
        }
        room.missing_rows = facts.rows() - room.known_rows;
        room.missing = facts.weight - room.known;
        room.own = room.missing_rows > 0 && load_.stand_aside(room.missing_rows, room.missing);
        return request;
    }

    // --- what all features share --------------------------------------------------------------

    // Two branches, with `left` on the left.
    Candidate halves(const Facts& facts, std::span<const double> left, std::int64_t rows, double weight,
                     Space& space) const {
        space.right.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) space.right[k] = facts.total[k] - left[k];
        Candidate candidate;
        candidate.branches = {2, {left, space.right, {}}, {weight, facts.weight - weight, 0}};
        candidate.rows = {rows, facts.rows() - rows, 0};
        return candidate;
    }

    // Do the leaf minima and the constraints allow a candidate? `rising` is the constraint on its own feature.
    bool allowed(const Facts& facts, const Candidate& candidate, int rising) const {
        if (!candidate.allowed(load_.minimum())) return false;
        if (options_.monotonic.empty()) return true;
        std::array<double, 3> value{};
        for (std::size_t branch = 0; branch < candidate.branches.n; ++branch) {
            value[branch] = candidate.branches.counts[branch][1] / candidate.branches.weight[branch];
            if (!facts.bounds.allow(value[branch])) return false;
        }
        return rising == 0 || (value[1] - value[0]) * rising >= 0;
    }

    // Every way to place the missing rows beside the known left rows, whose counts are in space.left.
    bool each_side(const Facts& facts, std::uint32_t at, std::int64_t missing_rows, std::int64_t rows, double weight,
                   const Found* only, Space& space, Visit visit) const {
        const auto show = [&](Candidate& candidate, Side side) {
            candidate.at = at;
            candidate.side = side;
            return (only == nullptr || candidate.is(*only)) && allowed(facts, candidate, space.rising) &&
                   visit(candidate);
        };
        if (missing_rows == 0) {
            Candidate candidate = halves(facts, space.left, rows, weight, space);
            return show(candidate, Side::kNone);
        }
        const double missing = Load::missing_weight(space);
        if (options_.missing == MissingMode::kSurrogate) {
            Candidate candidate = halves(facts, space.left, rows, weight, space);
            space.known.resize(n_classes_);
            for (std::size_t k = 0; k < n_classes_; ++k) {
                space.right[k] -= space.missing[k];
                space.known[k] = facts.total[k] - space.missing[k];
            }
            candidate.branches.weight[1] -= missing;
            candidate.rows[1] -= missing_rows;
            candidate.known = space.known;
            return show(candidate, Side::kNone);
        }
        if (load_.own_branch(missing_rows, missing)) {
            Candidate candidate = halves(facts, space.left, rows, weight, space);
            for (std::size_t k = 0; k < n_classes_; ++k) space.right[k] -= space.missing[k];
            candidate.branches.n = 3;
            candidate.branches.counts[2] = space.missing;
            candidate.branches.weight = {weight, facts.weight - weight - missing, missing};
            candidate.rows = {rows, facts.rows() - rows - missing_rows, missing_rows};
            return show(candidate, Side::kOwn);
        }
        Candidate right = halves(facts, space.left, rows, weight, space);
        if (show(right, Side::kRight)) return true;
        space.side.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) space.side[k] = space.left[k] + space.missing[k];
        Candidate left = halves(facts, space.side, rows + missing_rows, weight + missing, space);
        return show(left, Side::kLeft);
    }

    // Which ways to place the missing rows beside this many known left rows the minima allow: bit 0, right or
    // aside (or there are none); bit 1, left.
    unsigned sides_allowed(const Facts& facts, std::int64_t missing_rows, double missing, std::int64_t rows,
                           double weight) const {
        const Minimum& minimum = load_.minimum();
        const std::int64_t right_rows = facts.rows() - missing_rows - rows;
        const double right = facts.weight - missing - weight;
        if (missing_rows == 0 || load_.stand_aside(missing_rows, missing)) {
            return minimum.allows(rows, weight) && minimum.allows(right_rows, right) ? 1 : 0;
        }
        const bool with_right =
            minimum.allows(rows, weight) && minimum.allows(right_rows + missing_rows, right + missing);
        const bool with_left =
            minimum.allows(rows + missing_rows, weight + missing) && minimum.allows(right_rows, right);
        return (with_right ? 1 : 0) | (with_left ? 2 : 0);
    }

    // --- numeric ------------------------------------------------------------------------------

    void each_cut_of_table(const Facts& facts, std::size_t feature, const Cell* cells, const Found* only, Space& space,
                           Visit visit) const {
        const auto table = load_.load_table(facts, feature, cells, space);
        const double missing = Load::missing_weight(space);
        // First the groups present, their purity, and what lies left of each cut.
        auto& cuts = space.cuts;
        cuts.clear();
        space.pure.clear();
        std::vector<std::int64_t> rows;
        std::vector<double> weight, ones;
        for (std::size_t g = 0; g < table.n_values; ++g) {
            const std::int64_t here = table.rows_of(g, n_classes_);
            if (here == 0) continue;
            std::int32_t classes = 0, last = -1;
            double sum = weight.empty() ? 0.0 : weight.back();
            for (std::size_t k = 0; k < n_classes_; ++k) {
                const Cell c = cells[g * n_classes_ + k];
                if (c == Cell{}) continue;
                ++classes;
                last = static_cast<std::int32_t>(k);
                sum += static_cast<double>(c);
            }
            cuts.push_back(static_cast<std::uint32_t>(g));
            space.pure.push_back(classes == 1 ? last : -1);
            rows.push_back(here + (rows.empty() ? 0 : rows.back()));
            weight.push_back(sum);
            if (n_classes_ == 2) {
                ones.push_back(static_cast<double>(cells[g * n_classes_ + 1]) + (ones.empty() ? 0.0 : ones.back()));
            }
        }
        const std::vector<std::uint32_t> groups = cuts;
        if (!cuts.empty()) cuts.pop_back();  // no cut after the last group
        space.n_cuts = static_cast<std::int64_t>(cuts.size());
        if (options_.random_cuts && !cuts.empty()) {
            const RankedColumn& column = (*sample_.columns)[feature];
            const auto value = [&](std::size_t i) { return column.values[groups[i]]; };
            cuts = {groups[draw_cut(facts, feature, groups.size(), value, space) - 1]};
        } else if (only == nullptr) {
            keep_by_rule(
                load_.rule(), cuts, space.pure,
                [&](std::size_t i) { return sides_allowed(facts, table.missing_rows, missing, rows[i], weight[i]); },
                [&](std::size_t i, std::size_t way) {
                    return lead(facts, table.missing_rows, ones[i], weight[i], way, space);
                });
        }
        space.n_candidates = static_cast<std::int64_t>(cuts.size());
        space.left.assign(n_classes_, 0.0);
        std::size_t next = 0;
        for (const std::uint32_t cut : cuts) {
            for (; next < groups.size() && groups[next] <= cut; ++next) {
                for (std::size_t k = 0; k < n_classes_; ++k) {
                    space.left[k] += static_cast<double>(cells[groups[next] * n_classes_ + k]);
                }
            }
            if (only != nullptr && only->at != cut) continue;
            if (each_side(facts, cut, table.missing_rows, rows[next - 1], weight[next - 1], only, space, visit)) return;
        }
        missing_test(facts, table.missing_rows, only, space, visit);
    }

    void each_cut_of_sequence(const Facts& facts, std::size_t feature, const Found* only, Space& space,
                              Visit visit) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        if (kUnit && only != nullptr && !only->is_missing_test && !options_.random_cuts && !column.coded) {
            const auto items = load_.items_of(facts, column);
            if (known_of(items, column) == items.size()) {  // no other cut matters
                load_.count_first(items, column, only->at, facts.total, space);
                each_side(facts, only->at, 0, only->at, only->at, only, space, visit);
                return;
            }
        }
        bool constant = false;
        const auto ordered = load_.load_sequence(facts, feature, space, constant);
        if (constant) return;
        const auto change = ordered.sequence.change;
        const bool prefix = !ordered.ones.empty();
        const auto label = [&](std::size_t i) -> std::int32_t {
            return prefix ? ordered.ones[i] - (i > 0 ? ordered.ones[i - 1] : 0) : ordered.sequence.label[i];
        };
        const auto weight_of = [&](std::size_t i) { return kUnit ? 1.0 : ordered.sequence.weight[i]; };
        auto& cuts = space.cuts;
        cuts.clear();
        if (options_.random_cuts) {
            space.n_cuts = count_marks(change);
            if (space.n_cuts > 0) cuts.push_back(draw_cut_of_sequence(facts, feature, change.size(), space));
        } else if (only != nullptr) {
            if (!only->is_missing_test) cuts.push_back(only->at);
        } else {
            space.pure.clear();
            std::vector<double> weight, ones;  // left of each cut
            double sum = 0, one = 0;
            std::int32_t pure = label(0);
            for (std::size_t i = 0; i < change.size(); ++i) {
                sum += weight_of(i);
                if (label(i) == 1) one += weight_of(i);
                if (label(i) != pure) pure = -1;
                if (!change[i] && i + 1 < change.size()) continue;
                space.pure.push_back(pure);
                if (i + 1 == change.size()) break;
                cuts.push_back(static_cast<std::uint32_t>(i + 1));
                weight.push_back(sum);
                ones.push_back(one);
                pure = label(i + 1);
            }
            const double missing = ordered.missing_rows > 0 ? Load::missing_weight(space) : 0.0;
            space.n_cuts = static_cast<std::int64_t>(cuts.size());
            keep_by_rule(
                load_.rule(), cuts, space.pure,
                [&](std::size_t i) { return sides_allowed(facts, ordered.missing_rows, missing, cuts[i], weight[i]); },
                [&](std::size_t i, std::size_t way) {
                    return lead(facts, ordered.missing_rows, ones[i], weight[i], way, space);
                });
        }
        space.n_candidates = static_cast<std::int64_t>(cuts.size());
        space.left.assign(n_classes_, 0.0);
        double weight = 0;
        std::size_t next = 0;
        for (const std::uint32_t cut : cuts) {
            if (prefix) {
                space.left[1] = ordered.ones[cut - 1];
                space.left[0] = static_cast<double>(cut) - space.left[1];
                weight = static_cast<double>(cut);
            } else {
                for (; next < cut; ++next) {
                    space.left[ordered.sequence.label[next]] += weight_of(next);
                    weight += weight_of(next);
                }
            }
            if (each_side(facts, cut, ordered.missing_rows, cut, weight, only, space, visit)) return;
        }
        missing_test(facts, ordered.missing_rows, only, space, visit);
    }

    // D of a cut of two classes (cut_rule.hpp): by how much class 1 is more frequent on the left than at the node.
    // Way 1 has the missing rows on the left; rows that stand aside take no part.
    double lead(const Facts& facts, std::int64_t missing_rows, double ones, double weight, std::size_t way,
                const Space& space) const {
        double all = facts.weight, all_ones = facts.total[1];
        if (missing_rows > 0) {
            const double missing = Load::missing_weight(space);
            if (load_.stand_aside(missing_rows, missing)) {
                all -= missing;
                all_ones -= space.missing[1];
            } else if (way == 1) {
                ones += space.missing[1];
                weight += missing;
            }
        }
        return ones * all - all_ones * weight;
    }

    // Draws a threshold between the lowest and the highest of n ascending values; how many lie at or below it.
    template <class Value>
    std::uint32_t draw_cut(const Facts& facts, std::size_t feature, std::size_t n, Value value, Space& space) const {
        const double low = value(0), high = value(n - 1);
        const double u = unit_draw(facts.key, feature);
        double drawn = std::isinf(high - low) ? low * (1 - u) + high * u : low + u * (high - low);
        if (!(drawn < high)) drawn = low;
        space.drawn_threshold = drawn;
        std::size_t below = 1, above = n - 1;  // value(below - 1) <= drawn < value(above)
        while (below < above) {
            const std::size_t middle = below + (above - below) / 2;
            if (value(middle) <= drawn) {
                below = middle + 1;
            } else {
                above = middle;
            }
        }
        return static_cast<std::uint32_t>(below);
    }

    std::uint32_t draw_cut_of_sequence(const Facts& facts, std::size_t feature, std::size_t known, Space& space) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        return draw_cut(
            facts, feature, known,
            [&](std::size_t i) {
                if (!column.coded) {
                    return columns_[feature].number(sample_.origin_of(load_.items_of(facts, column)[i].row));
                }
                const std::size_t row = sample_.rows[facts.begin + Load::place_of(space.keys[i])];
                return column.values[sample_.code(row, column.slot)];
            },
            space);
    }

    void place_threshold(const Facts& facts, std::size_t feature, const Space& space, Split& split) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        double below = 0, above = 0;
        if (column.coded) {
            std::size_t next = split.cut + 1;
            if (const Cell* cells = load_.histogram_of(facts, feature)) {
                const auto empty = [&](std::size_t g) {
                    return std::all_of(cells + g * n_classes_, cells + (g + 1) * n_classes_,
                                       [](Cell c) { return c == Cell{}; });
                };
                while (empty(next)) ++next;
            } else {
                const auto code = [&](std::size_t i) {
                    return sample_.code(sample_.rows[facts.begin + Load::place_of(space.keys[i])], column.slot);
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
        split.threshold = options_.random_cuts ? space.drawn_threshold : between(below, above);
    }

    // --- categories ---------------------------------------------------------------------------

    void each_grouping(const Facts& facts, std::size_t feature, const Found* only, Space& space, Visit visit) const {
        const std::int64_t missing_rows = load_.load_groups(facts, feature, space);
        const Groups& groups = space.groups;
        if (groups.size() == 0 || (groups.size() == 1 && missing_rows == 0)) return;
        group(facts, feature, groups, space.group_search);
        space.left.assign(n_classes_, 0.0);
        std::int64_t rows = 0;
        double weight = 0;
        const auto move = [&](const Groups& from, std::size_t g, double sign) {
            for (std::size_t i = from.start[g]; i < from.start[g + 1]; ++i) {
                space.left[from.label[i]] += sign * from.count[i];
            }
            rows += static_cast<std::int64_t>(sign) * from.rows[g];
            weight += sign * from.weight[g];
        };
        const GroupSearch& search = space.group_search;
        if (search.grouping == Grouping::kSubset) {
            const Groups& values = search.values.rows;
            bool seen_enough = false;
            each_subset(values.size(), [&](std::uint32_t subset, std::size_t v, bool enters) {
                move(values, v, enters ? 1 : -1);
                if (only != nullptr && only->at != subset) return false;
                return seen_enough = each_side(facts, subset, missing_rows, rows, weight, only, space, visit);
            });
            if (seen_enough) return;
        } else if (search.grouping == Grouping::kAlone && only != nullptr) {
            if (!only->is_missing_test) {
                move(groups, only->at, 1);
                if (each_side(facts, only->at, missing_rows, rows, weight, only, space, visit)) return;
            }
        } else if (search.grouping == Grouping::kAlone) {
            if (!options_.random_cuts) order_alone(space.group_search, groups, n_classes_);
            for (std::uint32_t place = search.alone_begin; place < search.alone_end; ++place) {
                const std::uint32_t g = search.alone(place);
                move(groups, g, 1);
                if (each_side(facts, g, missing_rows, rows, weight, only, space, visit)) return;
                move(groups, g, -1);
            }
        } else {
            for (std::uint32_t i = 0; i + 1 < groups.size() && search.only_prefix != GroupSearch::kNoPrefix; ++i) {
                move(groups, search.order[i], 1);
                if (!search.looks_at(i + 1)) continue;
                if (each_side(facts, i + 1, missing_rows, rows, weight, only, space, visit)) return;
            }
            if (!search.chosen.empty()) {
                space.left.assign(n_classes_, 0.0);
                rows = 0;
                weight = 0;
                for (std::size_t g = 0; g < groups.size(); ++g) {
                    if (search.chosen[g] == 0) move(groups, g, 1);
                }
                const auto at = static_cast<std::uint32_t>(groups.size());
                if (each_side(facts, at, missing_rows, rows, weight, only, space, visit)) return;
            }
        }
        missing_test(facts, missing_rows, only, space, visit);
    }

    // The lowest category present is in branch 0.
    void accept_grouping(const Candidate& candidate, const Space& space, Split& split) const {
        const Groups& groups = space.groups;
        split.kind = Kind::kSubset;
        split.category_code = groups.code;
        std::vector<std::uint8_t> sides;
        space.group_search.branches(candidate.at, groups.size(), sides);
        split.category_branch.assign(sides.begin(), sides.end());
        if (split.category_branch[0] == 0) return;
        for (auto& branch : split.category_branch) branch = 1 - branch;
        std::swap_ranges(split.sums.begin(), split.sums.begin() + static_cast<std::ptrdiff_t>(n_classes_),
                         split.sums.begin() + static_cast<std::ptrdiff_t>(n_classes_));
        std::swap(split.rows[0], split.rows[1]);
        std::swap(split.weight[0], split.weight[1]);
        if (candidate.side == Side::kNone) {
            split.missing_branch = split.weight[1] > split.weight[0] ? 1 : 0;
        } else if (split.missing_branch < 2) {
            split.missing_branch = 1 - split.missing_branch;
        }
    }

    const Load& load_;
    const Sample<Index>& sample_;
    std::span<const Column> columns_;
    std::size_t n_classes_;
    const Options& options_;
};

// Compiled in searcher.cpp.
extern template class Candidates<std::uint16_t, true>;
extern template class Candidates<std::uint16_t, false>;
extern template class Candidates<std::uint32_t, true>;
extern template class Candidates<std::uint32_t, false>;

}  // namespace boxwood
