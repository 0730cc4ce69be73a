// Categories in one branch each, or one against the rest, for a target of numbers.
//
// A split is worth the sum of its branches' parts: of means, D^2 / W for squared error and m W phi(D / (m W)) for the
// Poisson deviance (criteria/regression.hpp); of medians, minus their absolute loss, the node's own loss added. So
// every value is weighed once, and once more with the rows without a value, which join the branch that gains most
// (multiway), stand on either side (one_vs_rest), or have a branch of their own: O(values) for means, and O(rows log
// rows) for medians, where the rows of a value enter a tree and leave it again. What is allowed: leaf minima in every
// branch, a positive response in every branch under the Poisson deviance, and the bounds of monotonic constraints.
//
// Of values that part equally well from the rest, or in whose branch the missing rows gain as much, the one with the
// lowest answer is taken, then the heaviest, then the one of most rows, so that neither names nor the order of rows
// decide; of values that are alike in all of these, the lowest code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "criteria/regression.hpp"
#include "grow/options.hpp"
#include "grow/random.hpp"
#include "grow/regression/loader.hpp"
#include "grow/regression/medians.hpp"
#include "grow/regression/numbers.hpp"
#include "grow/regression/weigher.hpp"
#include "grow/sample.hpp"
#include "search/found.hpp"

namespace boxwood {

template <class Index, bool kUnit>
class CategoryWeigher {
  public:
    using Facts = RegressionFacts;
    using Space = RegressionScratch<kUnit>;
    struct Placed {
        std::uint32_t at;  // one_vs_rest: the value that is alone, on the left; multiway: the one missing rows join
        Side side;
        double value;  // the gain, times the weight of the node
    };

    CategoryWeigher(const Growth& growth, const Sample<Index>& sample, const Numbers<Index>& numbers,
                    const StepLoader<Index, kUnit>& load, const CutWeigher<Index, kUnit>& weigh)
        : options_(growth.options),
          criterion_(growth.options.measure.kind),
          sample_(sample),
          numbers_(numbers),
          load_(load),
          weigh_(weigh) {}

    bool serves(std::size_t feature) const {
        const CategorySplit split = options_.categories;
        return (split == CategorySplit::kMultiway || split == CategorySplit::kOneVsRest) &&
               (*sample_.columns)[feature].categorical;
    }

    // The candidates that are allowed, in order; but for "missing against the rest".
    std::vector<Placed> list(const Facts& facts, std::size_t feature, const Steps& steps, Space& space) const {
        std::vector<Placed> placed;
        if (criterion_ == Criterion::kAbsoluteError) load_.load_rows(facts, feature, steps, space);
        if (steps.n < 2) return placed;
        const bool own = steps.missing_rows > 0 && weigh_.own_branch(steps);
        const Sets sets = gather(facts, steps, own, space);
        if (own && !allowed(facts, sets.missing)) return placed;
        if (options_.categories == CategorySplit::kMultiway) {
            list_multiway(facts, steps, own, sets, placed);
        } else {
            list_alone(facts, feature, steps, own, sets, placed);
        }
        return placed;
    }

  private:
    // Some rows as a branch.
    struct Part {
        std::int64_t sum = 0, rows = 0, positive = 0;
        double weight = 0;
        double worth = 0, answer = 0;
    };
    struct Sets {
        std::vector<Part> alone, joined;      // each value; with the missing rows
        std::vector<Part> rest, rest_joined;  // the other values; with the missing rows
        Part missing;
        double base = 0;  // what is to be added to the worth of all branches
    };

    static Part both(const Part& a, const Part& b) {
        return {a.sum + b.sum, a.rows + b.rows, a.positive + b.positive, a.weight + b.weight};
    }
    static Part without(const Part& a, const Part& b) {
        return {a.sum - b.sum, a.rows - b.rows, a.positive - b.positive, a.weight - b.weight};
    }

    Sets gather(const Facts& facts, const Steps& steps, bool own, Space& space) const {
        Sets sets;
        const bool joins = steps.missing_rows > 0 && !own;
        const bool rests = options_.categories == CategorySplit::kOneVsRest;
        sets.missing = {steps.missing_sum, steps.missing_rows, steps.missing_positive ? 1 : 0, steps.missing_weight};
        Part known{steps.known_sum, steps.known_rows, 0, steps.known_weight};
        for (const auto& cell : space.cells) known.positive += cell.positive;
        for (const auto& cell : space.cells) {
            const Part part{cell.sum, cell.rows, cell.positive, cell.weight()};
            sets.alone.push_back(part);
            if (joins) sets.joined.push_back(both(part, sets.missing));
            if (rests) sets.rest.push_back(without(known, part));
            if (rests && joins) sets.rest_joined.push_back(both(sets.rest.back(), sets.missing));
        }
        if (criterion_ == Criterion::kAbsoluteError) {
            weigh_medians(facts, steps, space, sets);
            return sets;
        }
        for (auto* parts : {&sets.alone, &sets.joined, &sets.rest, &sets.rest_joined}) {
            for (Part& part : *parts) weigh_mean(facts, part);
        }
        if (own) weigh_mean(facts, sets.missing);
        return sets;
    }

    void weigh_mean(const Facts& facts, Part& part) const {
        const TwoSides& sides = numbers_.sides();
        const double d = static_cast<double>(part.sum) - sides.drift() * part.weight;
        part.answer = weigh_.mean(facts, part.sum, part.weight);
        part.worth =
            weigh_.scale() * (criterion_ == Criterion::kSquaredError
                                  ? d * (d / part.weight)
                                  : sides.centre * part.weight * poisson_excess(d / (sides.centre * part.weight)));
    }

    void weigh_medians(const Facts& facts, const Steps& steps, Space& space, Sets& sets) const {
        const auto& y = numbers_.by_place();
        weigh_.gather_known(facts, steps, space);
        const auto note = [&](Part& part, const MedianSide& side) {
            if (part.rows == 0) return;  // nothing is missing: no rows have no median
            part.worth = -weigh_.scale() * side.loss(y);
            part.answer = weigh_.median(side);
        };
        sets.base = weigh_.scale() * MedianSide(numbers_.all()).loss(y);
        note(sets.missing, MedianSide(numbers_.all(), &space.known));
        std::vector<std::size_t> begin(steps.n), end(steps.n);
        for (std::size_t i = 0; i < steps.n; ++i) {
            begin[space.order[i]] = i == 0 ? 0 : static_cast<std::size_t>(space.rows[i - 1]);
            end[space.order[i]] = static_cast<std::size_t>(space.rows[i]);
        }
        MedianTree& tree = space.left;
        const auto move = [&](std::size_t from, std::size_t to, int sign) {
            for (std::size_t i = from; i < to; ++i) {
                const std::size_t row = space.row[i];
                tree.add(numbers_.place(row), sign * sample_.weight_of(row), sign * numbers_[row]);
            }
        };
        tree.clear(facts.end - facts.begin);
        for (std::size_t g = 0; g < steps.n; ++g) {
            move(begin[g], end[g], 1);
            note(sets.alone[g], MedianSide(tree));
            if (!sets.rest.empty()) note(sets.rest[g], MedianSide(space.known, &tree));
            if (!sets.rest_joined.empty()) note(sets.rest_joined[g], MedianSide(numbers_.all(), &tree));
            move(begin[g], end[g], -1);
        }
        if (sets.joined.empty()) return;
        tree.clear(facts.end - facts.begin);
        move(static_cast<std::size_t>(steps.known_rows), space.row.size(), 1);
        for (std::size_t g = 0; g < steps.n; ++g) {
            move(begin[g], end[g], 1);
            note(sets.joined[g], MedianSide(tree));
            move(begin[g], end[g], -1);
        }
    }

    bool allowed(const Facts& facts, const Part& part) const {
        return weigh_.minimum().allows(part.rows, part.weight) &&
               (criterion_ != Criterion::kPoisson || part.positive > 0) &&
               (options_.monotonic.empty() || weigh_.allows(facts, part.answer));
    }

    static std::vector<std::uint32_t> by_content(const Sets& sets) {
        std::vector<std::uint32_t> order(sets.alone.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const Part &one = sets.alone[a], &other = sets.alone[b];
            if (one.answer != other.answer) return one.answer < other.answer;
            if (one.weight != other.weight) return one.weight > other.weight;
            if (one.rows != other.rows) return one.rows > other.rows;
            if (one.worth != other.worth) return one.worth > other.worth;
            return a < b;
        });
        return order;
    }

    void list_multiway(const Facts& facts, const Steps& steps, bool own, const Sets& sets,
                       std::vector<Placed>& placed) const {
        std::size_t n_refused = 0;
        std::uint32_t refused = 0;
        double sum = sets.base;
        for (std::uint32_t g = 0; g < steps.n; ++g) {
            sum += sets.alone[g].worth;
            if (allowed(facts, sets.alone[g])) continue;
            ++n_refused;
            refused = g;
        }
        if (own || steps.missing_rows == 0) {
            if (n_refused > 0) return;
            placed.push_back({0, own ? Side::kOwn : Side::kNone, own ? sum + sets.missing.worth : sum});
            return;
        }
        if (n_refused > 1) return;
        for (const std::uint32_t g : by_content(sets)) {
            if ((n_refused == 1 && g != refused) || !allowed(facts, sets.joined[g])) continue;
            placed.push_back({g, Side::kRight, sum - sets.alone[g].worth + sets.joined[g].worth});
        }
    }

    void list_alone(const Facts& facts, std::size_t feature, const Steps& steps, bool own, const Sets& sets,
                    std::vector<Placed>& placed) const {
        const std::size_t n = steps.n == 2 ? 1 : steps.n;  // of two values, the first alone is the second alone
        std::size_t begin = 0, end = n;
        std::vector<std::uint32_t> order = by_content(sets);
        if (options_.random_cuts) {
            begin = static_cast<std::size_t>(unit_draw(facts.key, feature) * static_cast<double>(n));
            end = begin + 1;
            std::sort(order.begin(), order.end());
        }
        const auto offer = [&](std::size_t g, Side side, const Part& left, const Part& right, double more) {
            if (!allowed(facts, left) || !allowed(facts, right)) return;
            placed.push_back({static_cast<std::uint32_t>(g), side, sets.base + left.worth + right.worth + more});
        };
        for (std::size_t place = begin; place < end; ++place) {
            const std::size_t g = order[place];
            if (steps.missing_rows == 0) {
                offer(g, Side::kNone, sets.alone[g], sets.rest[g], 0.0);
            } else if (own) {
                offer(g, Side::kOwn, sets.alone[g], sets.rest[g], sets.missing.worth);
            } else {
                offer(g, Side::kRight, sets.alone[g], sets.rest_joined[g], 0.0);
                offer(g, Side::kLeft, sets.joined[g], sets.rest[g], 0.0);
            }
        }
    }

    const Options& options_;
    Criterion criterion_;
    const Sample<Index>& sample_;
    const Numbers<Index>& numbers_;
    const StepLoader<Index, kUnit>& load_;
    const CutWeigher<Index, kUnit>& weigh_;
};

}  // namespace boxwood
