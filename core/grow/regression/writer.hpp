// A candidate written down as a split, with all that its branches need to become nodes.
//
// What a branch holds is computed from its rows in the order of the table
// (criteria/regression.hpp), not from the sums of the search: a node has the same
// numbers to the last bit whether it is described as a branch of its parent or as
// the root of a sample of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "criteria/regression.hpp"
#include "grow/assign.hpp"
#include "grow/options.hpp"
#include "grow/place.hpp"
#include "grow/regression/loader.hpp"
#include "grow/regression/numbers.hpp"
#include "grow/sample.hpp"
#include "grow/split.hpp"
#include "search/found.hpp"

namespace boxwood {

template <class Index, bool kUnit>
class SplitWriter {
  public:
    using Facts = RegressionFacts;
    using Space = RegressionScratch<kUnit>;

    SplitWriter(const Growth& growth, const Sample<Index>& sample, const StepLoader<Index, kUnit>& load)
        : sample_(sample), options_(growth.options), load_(load) {}

    // `at` is that of Found. Categories, and thresholds drawn at random, need the steps, and nothing else may have been
    // loaded into `space` since.
    void accept(const Facts& facts, std::size_t feature, std::uint32_t at, Side side, bool test, const Steps& steps,
                Space& space, Split& split) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        split.feature = feature;
        split.n_branches = side == Side::kOwn ? 3 : 2;
        split.missing_branch = side == Side::kOwn ? 2 : side == Side::kRight ? 1 : 0;
        if (test) {
            split.kind = Kind::kIsMissing;
        } else if (column.categorical && options_.categories == CategorySplit::kMultiway) {
            give_each(at, side, steps, space, split);
        } else if (column.categorical) {
            split.kind = Kind::kSubset;
            group(at, side, steps, space, split);
        } else {
            split.kind = Kind::kThreshold;
            split.cut = at;
            split.threshold = options_.random_cuts ? steps.threshold : midway(facts, feature, at);
        }
        describe(facts, space, split);
        if (side == Side::kNone && !test) split.missing_branch = split.heaviest();
    }

  private:
    // The lowest category present is in branch 0.
    void group(std::uint32_t at, Side side, const Steps& steps, const Space& space, Split& split) const {
        split.category_code.assign(space.code.begin(), space.code.begin() + static_cast<std::ptrdiff_t>(steps.n));
        split.category_branch.assign(steps.n, 1);
        if (options_.categories == CategorySplit::kOneVsRest) {
            split.category_branch[at] = 0;
        } else {
            for (std::size_t i = 0; i < at; ++i) split.category_branch[space.order[i]] = 0;
        }
        if (split.category_branch[0] == 0) return;
        for (auto& branch : split.category_branch) branch = 1 - branch;
        if (side != Side::kNone && split.missing_branch < 2) split.missing_branch = 1 - split.missing_branch;
    }

    // One branch per category, in the order of their codes.
    void give_each(std::uint32_t at, Side side, const Steps& steps, const Space& space, Split& split) const {
        split.kind = Kind::kMultiway;
        split.category_code.assign(space.code.begin(), space.code.begin() + static_cast<std::ptrdiff_t>(steps.n));
        split.category_branch.resize(steps.n);
        std::iota(split.category_branch.begin(), split.category_branch.end(), 0);
        split.make_branches(steps.n + (side == Side::kOwn ? 1 : 0));
        split.missing_branch = static_cast<std::int32_t>(side == Side::kOwn ? steps.n : at);
    }

    double midway(const Facts& facts, std::size_t feature, std::size_t cut) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        double below = 0, above = 0;
        if (column.coded) {
            std::size_t next = column.n_values;
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                const std::size_t code = sample_.code(sample_.rows[i], column.slot);
                if (code > cut) next = std::min(next, code);
            }
            below = column.values[cut];
            above = column.values[next];
        } else {
            const auto items = load_.items_of(facts, feature);
            below = load_.number_of(feature, items[cut - 1].row);
            above = load_.number_of(feature, items[cut].row);
        }
        return between(below, above);
    }

    // The moments of the branches, from their rows in the order of the table.
    void describe(const Facts& facts, Space& space, Split& split) const {
        if (split.n_branches > Split::kFew) return describe_many(facts, space, split);
        if (space.branch.size() < sample_.n_rows) space.branch.resize(sample_.n_rows);
        Team alone(1);
        boxwood::assign_branches(sample_, facts.begin, facts.end, split, space.branch, alone);
        const std::size_t n = facts.end - facts.begin;
        for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
            if (space.y[branch].size() < n) space.y[branch].resize(n);
            if (!kUnit && space.w[branch].size() < n) space.w[branch].resize(n);
        }
        std::array<std::size_t, 3> rows{};
        for (std::size_t i = facts.begin; i < facts.end; ++i) {
            const std::size_t row = sample_.rows[i], branch = space.branch[row];
            if constexpr (!kUnit) space.w[branch][rows[branch]] = sample_.weight[row];
            space.y[branch][rows[branch]++] = sample_.response[row];
        }
        split.sums.clear();
        for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
            Responses here{{space.y[branch].data(), rows[branch]}, {}};
            if constexpr (!kUnit) here.weight = {space.w[branch].data(), rows[branch]};
            const auto all = moments(options_.measure.kind, here, space.room);
            split.sums.insert(split.sums.end(), all.begin(), all.end());
            split.rows[branch] = static_cast<std::int64_t>(rows[branch]);
            split.weight[branch] = all[kWeight];
        }
    }

    // The same for many branches, whose rows are laid side by side.
    void describe_many(const Facts& facts, Space& space, Split& split) const {
        if (space.wide.size() < sample_.n_rows) space.wide.resize(sample_.n_rows);
        Team alone(1);
        boxwood::assign_branches(sample_, facts.begin, facts.end, split, space.wide, alone);
        const std::size_t n = facts.end - facts.begin;
        std::vector<std::size_t> next(split.n_branches + 1, 0);
        for (std::size_t i = facts.begin; i < facts.end; ++i) ++next[space.wide[sample_.rows[i]] + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::vector<double>&y = space.y[0], &w = space.w[0];
        if (y.size() < n) y.resize(n);
        if (!kUnit && w.size() < n) w.resize(n);
        for (std::size_t i = facts.begin; i < facts.end; ++i) {
            const std::size_t row = sample_.rows[i], to = next[space.wide[row]]++;
            y[to] = sample_.response[row];
            if constexpr (!kUnit) w[to] = sample_.weight[row];
        }
        split.sums.clear();
        for (std::size_t branch = 0, begin = 0; branch < split.n_branches; begin = next[branch++]) {
            const std::size_t rows = next[branch] - begin;
            Responses here{{y.data() + begin, rows}, {}};
            if constexpr (!kUnit) here.weight = {w.data() + begin, rows};
            const auto all = moments(options_.measure.kind, here, space.room);
            split.sums.insert(split.sums.end(), all.begin(), all.end());
            split.rows[branch] = static_cast<std::int64_t>(rows);
            split.weight[branch] = all[kWeight];
        }
    }

    const Sample<Index>& sample_;
    const Options& options_;
    const StepLoader<Index, kUnit>& load_;
};

}  // namespace boxwood
