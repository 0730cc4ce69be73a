// Surrogates of a split while a tree is grown: splits of other columns that send rows as it does.
//
// The problem: a split of one column says nothing of the rows that lack its value. The
// idea (CART): of every other column take the split in two that agrees most with it on
// the rows that have both values, and let rows without the value go by the best of
// these that they have a value for. Growth routes its own rows so, by the very code
// that predicts (tree/surrogates.hpp): what a node counts is what it is going to get.
//
// The best surrogate of a column, by the weight of the rows that it sends right:
//   numbers     a threshold, with small values left or right. One pass over the rows in
//               value order: with L and R the weights of the primary's left and right rows
//               so far, a cut agrees on R_total + (L - R), the reverse on L_total - (L - R),
//               so the largest and the smallest L - R are all that is needed. The first
//               threshold of equals, and "small values left" before the reverse.
//   categories  each one goes where most of the weight of its rows went; left on a tie.
// It is kept if it sends more right than "all to the heavier side" would, on the same
// rows. Agreement is the share of their weight that it sends right; the surrogates of a
// node are sorted by it, equals by column, and the first few are kept. Sums of weights
// are exact, so that nothing here depends on the order of rows or on threads.
//
// Rows without any of these values go to the side where more of the weight of the known
// rows went (rpart's usesurrogate = 2).
//
// Complexity: a pass over the node's rows for each active column, as a search has.
//
// What we changed: agreement counts rows that have both values (rpart's
// surrogatestyle = 1), so that it can be read as "how often does this one agree"; and
// weights count everywhere.
//
// References: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression
// Trees, 1984, section 5.3; T. Therneau, E. Atkinson, An introduction to recursive
// partitioning using the RPART routines, 1997, section 5.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "data/column.hpp"
#include "data/ranks.hpp"
#include "grow/assign.hpp"
#include "grow/sample.hpp"
#include "grow/split.hpp"
#include "threads/team.hpp"
#include "tree/surrogates.hpp"

namespace boxwood {

// In place of a row's branch: it lacks the value that the split asks for.
inline constexpr std::uint8_t kNoBranch = 2;

// The weights of one value's rows (or of all so far) that the split sends left and right.
struct SideWeights {
    std::array<double, 2> of{};
    double lead() const { return of[0] - of[1]; }
    double total() const { return of[0] + of[1]; }
};

// The best cut met while values ascend; `place` is whatever finds its threshold again.
class BestCut {
  public:
    void offer(const SideWeights& left, std::size_t place) {
        if (left.lead() > highest_) {
            highest_ = left.lead();
            at_highest_ = place;
        }
        if (left.lead() < lowest_) {
            lowest_ = left.lead();
            at_lowest_ = place;
        }
    }
    bool empty() const { return highest_ == -std::numeric_limits<double>::infinity(); }
    bool flipped(const SideWeights& all) const { return all.of[0] - lowest_ > all.of[1] + highest_; }
    double agreeing(const SideWeights& all) const { return std::max(all.of[0] - lowest_, all.of[1] + highest_); }
    std::size_t place(const SideWeights& all) const { return flipped(all) ? at_lowest_ : at_highest_; }

  private:
    double highest_ = -std::numeric_limits<double>::infinity(), lowest_ = std::numeric_limits<double>::infinity();
    std::size_t at_highest_ = 0, at_lowest_ = 0;
};

// Finds the surrogates of a split whose branches stand in sample.branch, kNoBranch for rows without the value.
template <class Index>
class SurrogateSearch {
  public:
    SurrogateSearch(const Sample<Index>& sample, std::size_t begin, std::size_t end, std::span<const Column> columns)
        : sample_(sample), columns_(columns), begin_(begin), end_(end) {}

    // The best `most` of these features, but for the split's own.
    std::vector<Surrogate> find(std::span<const std::size_t> features, std::size_t primary, std::size_t most,
                                Team& team) const {
        std::vector<std::optional<Surrogate>> found(features.size());
        team.each(features.size(), [&](std::size_t i, std::size_t) {
            if (features[i] != primary) found[i] = best_of(features[i]);
        });
        std::vector<Surrogate> kept;
        for (auto& one : found) {
            if (one) kept.push_back(std::move(*one));
        }
        std::sort(kept.begin(), kept.end(), [](const Surrogate& a, const Surrogate& b) {
            return a.agreement != b.agreement ? a.agreement > b.agreement : a.feature < b.feature;
        });
        if (kept.size() > most) kept.resize(most);
        return kept;
    }

    std::optional<Surrogate> best_of(std::size_t feature) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        if (column.categorical) return column.coded ? of_coded_categories(feature) : of_sorted_categories(feature);
        return column.coded ? of_coded_numbers(feature) : of_sorted_numbers(feature);
    }

  private:
    // A surrogate that sends this much of all weight right, if that is more than no question would.
    std::optional<Surrogate> worthwhile(std::size_t feature, double agreeing, const SideWeights& all) const {
        if (!(agreeing > std::max(all.of[0], all.of[1]))) return std::nullopt;
        Surrogate surrogate;
        surrogate.feature = static_cast<std::int32_t>(feature);
        surrogate.agreement = agreeing / all.total();
        return surrogate;
    }

    std::optional<Surrogate> at_cut(std::size_t feature, const BestCut& best, const SideWeights& all,
                                    double threshold) const {
        auto surrogate = worthwhile(feature, best.agreeing(all), all);
        if (surrogate) {
            surrogate->flipped = best.flipped(all);
            surrogate->threshold = threshold;
        }
        return surrogate;
    }

    double number(std::size_t feature, std::size_t row) const {
        return columns_[feature].number(sample_.origin_of(row));
    }

    std::optional<Surrogate> of_sorted_numbers(std::size_t feature) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        const auto items = sample_.items_of(column, begin_, end_);
        const std::size_t known = known_of(items, column);
        const auto lacks = [&](std::size_t i) { return sample_.branch[items[i].row] == kNoBranch; };
        SideWeights all;
        BestCut best;
        std::size_t last = known;  // the last row before this one that has both values
        for (std::size_t i = 0; i < known; ++i) {
            if (lacks(i)) continue;
            if (last < known && sample_.differ(items[last], items[i], column.slot)) best.offer(all, last);
            all.of[sample_.branch[items[i].row]] += sample_.weight_of(items[i].row);
            last = i;
        }
        if (best.empty()) return std::nullopt;
        const std::size_t below = best.place(all);
        std::size_t above = below + 1;
        while (lacks(above)) ++above;
        return at_cut(feature, best, all,
                      between(number(feature, items[below].row), number(feature, items[above].row)));
    }

    // By code, the weights of the rows that have both values.
    std::vector<SideWeights> count_codes(std::size_t feature) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        std::vector<SideWeights> counts(column.n_values + 1);
        for (std::size_t i = begin_; i < end_; ++i) {
            const std::size_t row = sample_.rows[i];
            const std::uint8_t side = sample_.branch[row];
            if (side != kNoBranch) counts[sample_.code(row, column.slot)].of[side] += sample_.weight_of(row);
        }
        counts.pop_back();  // the missing cells
        return counts;
    }

    std::optional<Surrogate> of_coded_numbers(std::size_t feature) const {
        const std::vector<double>& values = (*sample_.columns)[feature].values;
        const std::vector<SideWeights> counts = count_codes(feature);
        SideWeights all;
        BestCut best;
        std::size_t last = counts.size();
        for (std::size_t code = 0; code < counts.size(); ++code) {
            if (counts[code].total() == 0) continue;
            if (last < counts.size()) best.offer(all, last);
            for (std::size_t side = 0; side < 2; ++side) all.of[side] += counts[code].of[side];
            last = code;
        }
        if (best.empty()) return std::nullopt;
        const std::size_t below = best.place(all);
        std::size_t above = below + 1;
        while (counts[above].total() == 0) ++above;
        return at_cut(feature, best, all, between(values[below], values[above]));
    }

    // Categories in order, each with the weights of its rows.
    std::optional<Surrogate> of_categories(std::size_t feature, std::span<const std::int32_t> codes,
                                           std::span<const SideWeights> counts) const {
        SideWeights all;
        double agreeing = 0;
        for (const SideWeights& count : counts) {
            for (std::size_t side = 0; side < 2; ++side) all.of[side] += count.of[side];
            agreeing += std::max(count.of[0], count.of[1]);
        }
        auto surrogate = worthwhile(feature, agreeing, all);
        if (surrogate) {
            surrogate->category_code.assign(codes.begin(), codes.end());
            for (const SideWeights& count : counts) surrogate->category_branch.push_back(count.lead() < 0 ? 1 : 0);
        }
        return surrogate;
    }

    std::optional<Surrogate> of_coded_categories(std::size_t feature) const {
        const std::vector<SideWeights> counts = count_codes(feature);
        std::vector<std::int32_t> codes;
        std::vector<SideWeights> present;
        for (std::size_t code = 0; code < counts.size(); ++code) {
            if (counts[code].total() == 0) continue;
            codes.push_back(static_cast<std::int32_t>(code));
            present.push_back(counts[code]);
        }
        return of_categories(feature, codes, present);
    }

    std::optional<Surrogate> of_sorted_categories(std::size_t feature) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        const auto items = sample_.items_of(column, begin_, end_);
        const std::size_t known = known_of(items, column);
        std::vector<std::int32_t> codes;
        std::vector<SideWeights> counts;
        for (std::size_t i = 0; i < known; ++i) {
            const std::size_t row = items[i].row;
            const std::uint8_t side = sample_.branch[row];
            if (side == kNoBranch) continue;
            const std::int32_t code = columns_[feature].code(sample_.origin_of(row));
            if (codes.empty() || codes.back() != code) {
                codes.push_back(code);
                counts.emplace_back();
            }
            counts.back().of[side] += sample_.weight_of(row);
        }
        return of_categories(feature, codes, counts);
    }

    const Sample<Index>& sample_;
    std::span<const Column> columns_;
    std::size_t begin_, end_;
};

// The surrogates of one split as prediction applies them.
class StandIns {
  public:
    StandIns(const Split& split, std::span<const Column> columns);
    // The branch of a row, by its number in the caller's table, that lacks the split's value.
    std::uint8_t branch(std::size_t row) const {
        const std::int32_t found = surrogates_.branch(surrogates_.of(0), columns_, row);
        return static_cast<std::uint8_t>(found == kStop ? otherwise_ : found);
    }

  private:
    Surrogates surrogates_;
    std::span<const Column> columns_;
    std::int32_t otherwise_;
};

// The branch of every row of a node, in sample.branch.
template <class Index>
void assign_with_surrogates(Sample<Index>& sample, std::size_t begin, std::size_t end, const Split& split,
                            std::span<const Column> columns, Team& team) {
    assign_branches(sample, begin, end, split, kNoBranch, sample.branch, team);
    const StandIns rule(split, columns);
    each_stretch(begin, end, team, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            std::uint8_t& branch = sample.branch[sample.rows[i]];
            if (branch == kNoBranch) branch = rule.branch(sample.origin_of(sample.rows[i]));
        }
    });
}

// Finds the surrogates of a split that counts known rows alone, and adds the other rows where they send them.
template <class Index>
void complete_split(Sample<Index>& sample, std::size_t begin, std::size_t end, std::span<const std::size_t> features,
                    std::size_t most, std::span<const Column> columns, Split& split, Team& team) {
    assign_branches(sample, begin, end, split, kNoBranch, sample.branch, team);
    split.surrogates = SurrogateSearch<Index>(sample, begin, end, columns).find(features, split.feature, most, team);
    const StandIns rule(split, columns);
    const std::size_t n_sums = split.sums.size() / split.n_branches;
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t row = sample.rows[i];
        if (sample.branch[row] != kNoBranch) continue;
        const std::size_t branch = rule.branch(sample.origin_of(row));
        split.sums[branch * n_sums + sample.label(row)] += sample.weight_of(row);
        split.weight[branch] += sample.weight_of(row);
        split.rows[branch] += 1;
    }
}

}  // namespace boxwood
