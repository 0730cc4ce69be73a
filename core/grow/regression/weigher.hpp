// The candidates of one feature at one node: how rows without a value may be placed, which cuts are allowed, and
// what each of them is worth.
//
// A way to place the missing rows (left, right, in a branch of their own) changes the sums that a cut starts from
// and nothing else, so that all cuts of a way are weighed in one walk: from running sums for means, and for medians
// by moving rows out of a list, or with weights through a tree (medians.hpp). Monotonic constraints forbid cuts
// whose answers are out of order or leave the bounds of the node.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "criteria/regression.hpp"
#include "grow/options.hpp"
#include "grow/regression/loader.hpp"
#include "grow/regression/medians.hpp"
#include "grow/regression/numbers.hpp"
#include "grow/regression/scan.hpp"
#include "grow/sample.hpp"
#include "grow/split.hpp"
#include "search/found.hpp"

namespace boxwood {

template <class Index, bool kUnit>
class CutWeigher {
  public:
    using Facts = RegressionFacts;
    using Space = RegressionScratch<kUnit>;
    static constexpr double kNone = -std::numeric_limits<double>::infinity();

    // One way to place the rows without a value.
    struct Way {
        Side side = Side::kNone;
        TwoSides sides;  // of the rows that are cut
        std::int64_t rows = 0, base_rows = 0;
        bool base_positive = false, rest_positive = false;  // is a positive response left, right whatever the cut?
        double constant = 0;                                // what is gained whatever the cut
        double loss = 0;                                    // of these rows, for absolute error
    };
    struct Range {
        std::int64_t first = 0, last = -1;
    };

    CutWeigher(const Growth& growth, const Sample<Index>& sample, const Numbers<Index>& numbers,
               const StepLoader<Index, kUnit>& load)
        : sample_(sample),
          options_(growth.options),
          criterion_(growth.options.measure.kind),
          constrained_(!growth.options.monotonic.empty()),
          numbers_(numbers),
          load_(load) {
        minimum_ = {std::max<std::int64_t>(1, options_.min_samples_leaf), options_.min_weight_leaf};
        if constexpr (kUnit) {  // a minimum weight is a minimum number of rows
            minimum_.rows = std::max(minimum_.rows, static_cast<std::int64_t>(std::ceil(minimum_.weight)));
        }
    }

    const Minimum& minimum() const { return minimum_; }
    // What the values of scans are multiplied by.
    double scale() const {
        return criterion_ == Criterion::kSquaredError ? numbers_.unit() * numbers_.unit() : numbers_.unit();
    }

    std::size_t list_ways(const Facts& facts, std::size_t feature, const Steps& steps, Space& space,
                          std::array<Way, 2>& ways) const {
        Way& all = ways[0];
        all.sides = numbers_.sides();
        all.rows = facts.rows();
        if (absolute()) {
            load_.load_rows(facts, feature, steps, space);
            all.loss = MedianSide(numbers_.all()).loss(numbers_.by_place());
        }
        if (steps.missing_rows == 0) return 1;
        if (own_branch(steps)) {
            Way& own = all;
            own.side = Side::kOwn;
            own.sides = {steps.known_sum, steps.known_weight, 0, 0, 0};
            own.sides.centre = numbers_.centre() + own.sides.drift();
            own.rows = steps.known_rows;
            own.constant = parted(facts, steps, space, own.loss);
            return 1;
        }
        ways[1] = all;
        ways[0].side = Side::kRight;
        ways[0].rest_positive = steps.missing_positive;
        ways[1].side = Side::kLeft;
        ways[1].sides.base_sum = steps.missing_sum;
        ways[1].sides.base_weight = steps.missing_weight;
        ways[1].base_rows = steps.missing_rows;
        ways[1].base_positive = steps.missing_positive;
        return 2;
    }

    // The value of "missing against the rest", or kNone where it is not a candidate.
    double missing_test(const Facts& facts, const Steps& steps, Space& space) const {
        if (steps.missing_rows == 0 || !minimum_.allows(steps.missing_rows, steps.missing_weight) ||
            !minimum_.allows(steps.known_rows, steps.known_weight)) {
            return kNone;
        }
        if (criterion_ == Criterion::kPoisson && (!steps.missing_positive || steps.last_positive < 0)) return kNone;
        double known_loss = 0;
        const double value = parted(facts, steps, space, known_loss);
        if (constrained_) {
            if (absolute()) {
                const MedianSide missing(numbers_.all(), &space.known), known(space.known);
                if (!facts.bounds.allow(median(missing)) || !facts.bounds.allow(median(known))) return kNone;
            } else if (!allows(facts, mean(facts, steps.missing_sum, steps.missing_weight)) ||
                       !allows(facts, mean(facts, steps.known_sum, steps.known_weight))) {
                return kNone;
            }
        }
        return value;
    }

    // The steps after which the leaf minima allow a cut, and positive responses where they are needed.
    Range allowed(const Steps& steps, const Way& way, const Space& space) const {
        Range range = allowed_by_rows(steps, way);
        if (!steps.by_row) {
            const auto rows = [&](std::int64_t i) { return space.rows[static_cast<std::size_t>(i)] + way.base_rows; };
            while (range.first <= range.last && rows(range.first) < minimum_.rows) ++range.first;
            while (range.first <= range.last && way.rows - rows(range.last) < minimum_.rows) --range.last;
        }
        if (minimum_.weight > 0) {
            const auto weight = [&](std::int64_t i) {
                return load_.weight_at(steps, space, static_cast<std::size_t>(i)) + way.sides.base_weight;
            };
            while (range.first <= range.last && weight(range.first) < minimum_.weight) ++range.first;
            while (range.first <= range.last && way.sides.weight - weight(range.last) < minimum_.weight) --range.last;
        }
        return range;
    }
    // The same without a look at weights, or at rows where steps are values.
    Range allowed_by_rows(const Steps& steps, const Way& way) const {
        Range range{0, static_cast<std::int64_t>(steps.n) - 2};
        if (steps.only != Steps::kEvery) range.first = range.last = static_cast<std::int64_t>(steps.only);
        if (steps.by_row) {
            range.first = std::max(range.first, minimum_.rows - way.base_rows - 1);
            range.last = std::min(range.last, way.rows - minimum_.rows - way.base_rows - 1);
        }
        if (criterion_ == Criterion::kPoisson) {
            if (!way.base_positive) range.first = std::max(range.first, steps.first_positive);
            if (!way.rest_positive) range.last = std::min(range.last, steps.last_positive - 1);
        }
        return range;
    }

    // The value of every cut in the range; kNone where there is none, or a constraint forbids it.
    void weigh(const Facts& facts, std::size_t feature, const Steps& steps, const Way& way, const Range& range,
               Space& space, std::vector<double>& values) const {
        if (values.size() < steps.n) values.resize(steps.n);
        std::span<const Item<Index>> items;
        if (steps.by_row) items = load_.items_of(facts, feature);
        if (absolute()) {
            if (kUnit && !constrained_) {
                weigh_by_list(feature, steps, way, range, items, space, values);
            } else {
                weigh_by_tree(facts, feature, steps, way, range, items, space, values);
            }
            return;
        }
        const auto first = static_cast<std::size_t>(range.first), last = static_cast<std::size_t>(range.last);
        for (std::size_t i = first; i <= last; ++i) {
            if (!load_.cut_after(steps, items, feature, i)) {
                values[i] = kNone;
                continue;
            }
            const double left = way.sides.base_weight + load_.weight_at(steps, space, i);
            const std::int64_t sum = way.sides.base_sum + space.sum[i];
            values[i] = value_of(way.sides, sum, left) + way.constant;
            if (!constrained_) continue;
            const double below = mean(facts, sum, left);
            const double above = mean(facts, way.sides.sum - sum, way.sides.weight - left);
            if (!allows(facts, below) || !allows(facts, above) || !in_order(facts, feature, below, above)) {
                values[i] = kNone;
            }
        }
        if (constrained_ && way.side == Side::kOwn &&
            !allows(facts, mean(facts, steps.missing_sum, steps.missing_weight))) {
            std::fill(values.begin() + range.first, values.begin() + range.last + 1, kNone);
        }
    }

    bool keeps_constraints(const Facts& facts, std::size_t feature, const Split& split) const {
        for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
            if (!facts.bounds.allow(split.sums_of(branch)[kAnswer])) return false;
        }
        if (split.kind != Kind::kThreshold) return true;
        const double left = split.sums_of(0)[kAnswer], right = split.sums_of(1)[kAnswer];
        const int sign = options_.monotonic[feature];
        return sign == 0 || (sign > 0 ? left <= right : left >= right);
    }

    // Do the rows without a value get a branch of their own?
    bool own_branch(const Steps& steps) const {
        return options_.missing == MissingMode::kBranch && minimum_.allows(steps.missing_rows, steps.missing_weight) &&
               (criterion_ != Criterion::kPoisson || steps.missing_positive);
    }

    // space.known: the rows with a value. Their list is in space.row.
    void gather_known(const Facts& facts, const Steps& steps, Space& space) const {
        space.known.clear(facts.end - facts.begin);
        for (std::size_t i = 0; i < static_cast<std::size_t>(steps.known_rows); ++i) {
            const std::size_t row = space.row[i];
            space.known.put(numbers_.place(row), sample_.weight_of(row), numbers_[row]);
        }
        space.known.close();
    }

    // Answers of branches.
    double mean(const Facts& facts, std::int64_t sum, double weight) const {
        return facts.answer() + static_cast<double>(sum) / weight * numbers_.unit();
    }
    double median(const MedianSide& side) const {
        return std::midpoint(numbers_.response_at(side.lower()), numbers_.response_at(side.upper()));
    }
    // Means of rounded responses may miss a bound that they meet: keeps_constraints() decides.
    static double leeway(const Facts& facts) { return 1e-14 * (std::fabs(facts.answer()) + facts.spread()); }
    static bool allows(const Facts& facts, double value) {
        return facts.bounds.lower - leeway(facts) <= value && value <= facts.bounds.upper + leeway(facts);
    }

  private:
    bool absolute() const { return criterion_ == Criterion::kAbsoluteError; }
    // What a cut gains, times the weight, with these on its left.
    double value_of(const TwoSides& sides, std::int64_t sum, double left) const {
        const double d = static_cast<double>(sum) - sides.drift() * left, right = sides.weight - left;
        return scale() * (criterion_ == Criterion::kSquaredError
                              ? SquaredError::value(d, left, right, sides.centre)
                              : PoissonDeviance::value(d, left, right, sides.centre));
    }

    // What "missing against the rest" gains, times the weight. `known_loss`: of the known rows, for absolute error;
    // space.known then holds these rows.
    double parted(const Facts& facts, const Steps& steps, Space& space, double& known_loss) const {
        if (!absolute()) return value_of(numbers_.sides(), steps.missing_sum, steps.missing_weight);
        gather_known(facts, steps, space);
        const auto& y = numbers_.by_place();
        known_loss = MedianSide(space.known).loss(y);
        const double missing_loss = MedianSide(numbers_.all(), &space.known).loss(y);
        return scale() * (MedianSide(numbers_.all()).loss(y) - known_loss - missing_loss);
    }

    // The losses of the left sides, then those of the right sides, see medians.hpp.
    void weigh_by_list(std::size_t feature, const Steps& steps, const Way& way, const Range& range,
                       std::span<const Item<Index>> items, Space& space, std::vector<double>& values) const {
        const auto first = static_cast<std::size_t>(range.first), last = static_cast<std::size_t>(range.last);
        const auto known = static_cast<std::size_t>(steps.known_rows);
        MedianList& list = space.list;
        const auto fill = [&](bool with_missing) {
            list.fill(numbers_.by_place(), numbers_.whole_by_place(), numbers_.total());
            if (with_missing) return;
            for (std::size_t i = known; i < space.row.size(); ++i) list.remove(numbers_.place(space.row[i]));
        };
        const auto end_of = [&](std::size_t i) { return static_cast<std::size_t>(load_.rows_at(steps, space, i)); };
        fill(way.side == Side::kLeft);
        for (std::size_t i = last + 1, next = known; i-- > first;) {
            for (const std::size_t end = end_of(i); next > end;) list.remove(numbers_.place(space.row[--next]));
            values[i] = list.loss();
        }
        fill(way.side == Side::kRight);
        for (std::size_t i = first, next = 0; i <= last; ++i) {
            for (const std::size_t end = end_of(i); next < end;) list.remove(numbers_.place(space.row[next++]));
            values[i] = load_.cut_after(steps, items, feature, i)
                            ? scale() * (way.loss - values[i] - list.loss()) + way.constant
                            : kNone;
        }
    }

    void weigh_by_tree(const Facts& facts, std::size_t feature, const Steps& steps, const Way& way, const Range& range,
                       std::span<const Item<Index>> items, Space& space, std::vector<double>& values) const {
        const auto& y = numbers_.by_place();
        const MedianTree& all = way.side == Side::kOwn ? space.known : numbers_.all();
        MedianTree& tree = space.left;
        tree.clear(facts.end - facts.begin);
        const auto move = [&](std::size_t place) {
            const std::size_t row = space.row[place];
            tree.add(numbers_.place(row), sample_.weight_of(row), numbers_[row]);
        };
        const auto known = static_cast<std::size_t>(steps.known_rows);
        if (way.side == Side::kLeft) {
            for (std::size_t i = known; i < space.row.size(); ++i) move(i);
        }
        bool own_allowed = true;
        if (constrained_ && way.side == Side::kOwn) {
            own_allowed = facts.bounds.allow(median(MedianSide(numbers_.all(), &space.known)));
        }
        std::size_t next = 0;
        for (std::size_t i = 0; i <= static_cast<std::size_t>(range.last); ++i) {
            for (const auto end = static_cast<std::size_t>(load_.rows_at(steps, space, i)); next < end; ++next) {
                move(next);
            }
            if (i < static_cast<std::size_t>(range.first)) continue;
            if (!own_allowed || !load_.cut_after(steps, items, feature, i)) {
                values[i] = kNone;
                continue;
            }
            const MedianSide left(tree), right(all, &tree);
            values[i] = scale() * (way.loss - left.loss(y) - right.loss(y)) + way.constant;
            if (!constrained_) continue;
            const double below = median(left), above = median(right);
            const int sign = options_.monotonic[feature];
            if (!facts.bounds.allow(below) || !facts.bounds.allow(above) || (sign > 0 && below > above) ||
                (sign < 0 && below < above)) {
                values[i] = kNone;
            }
        }
    }

    // --- monotonic constraints ------------------------------------------------------------------

    bool in_order(const Facts& facts, std::size_t feature, double left, double right) const {
        const int sign = options_.monotonic[feature];
        return sign == 0 || sign * (right - left) >= -leeway(facts);
    }

    const Sample<Index>& sample_;
    const Options& options_;
    Criterion criterion_;
    bool constrained_;
    const Numbers<Index>& numbers_;
    const StepLoader<Index, kUnit>& load_;
    Minimum minimum_;
};

}  // namespace boxwood
