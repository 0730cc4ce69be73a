// One node and one feature: from rows to the best split, for a target of numbers.
//
// All sums are exact (numbers.hpp), so a candidate has one value, whichever way
// it is met: search() walks all cuts and reports the best value; judge() visits
// the candidates in order until one is good enough: by threshold (or prefix of
// the ordered categories), each with missing rows on the right, then on the left
// ("learn"), or in a third branch ("branch", where the minima allow one); last,
// "missing against the rest". Only those that the leaf minima allow, and that
// keep monotonic constraints, are candidates; for the Poisson deviance every
// branch needs a positive response.
//
// Sorted columns have a scan of their own for means (scan.hpp), and coded ones a
// walk through their sums by value, O(1) per row; everything else (missing rows,
// categories, medians, constraints) is weighed cut by cut (weigher.hpp).
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
#include "grow/place.hpp"
#include "grow/regression/associate.hpp"
#include "grow/regression/categories.hpp"
#include "grow/regression/loader.hpp"
#include "grow/regression/medians.hpp"
#include "grow/regression/numbers.hpp"
#include "grow/regression/scan.hpp"
#include "grow/regression/small_subtree.hpp"
#include "grow/regression/tables.hpp"
#include "grow/regression/weigher.hpp"
#include "grow/regression/writer.hpp"
#include "grow/sample.hpp"
#include "grow/split.hpp"
#include "search/found.hpp"
#include "threads/team.hpp"

namespace boxwood {

template <class Row, bool kUnit>
class RegressionSearcher {
  public:
    using Index = Row;
    using Facts = RegressionFacts;
    using Space = RegressionScratch<kUnit>;
    struct Memory {};
    static constexpr std::size_t kSmall = kUnit ? SmallSubtree<Row>::kMost : 0;
    static constexpr std::size_t kApart = 2048;
    static constexpr bool kFull = true;
    static constexpr bool kBounds = kUnit && sizeof(Row) == 4;
    template <class Other>
    using With = RegressionSearcher<Other, kUnit>;

    RegressionSearcher(const Growth& growth, const Sample<Index>& sample)
        : sample_(sample),
          growth_(growth),
          options_(growth.options),
          criterion_(growth.options.measure.kind),
          constrained_(!growth.options.monotonic.empty()),
          draws_(growth.options.max_features < growth.columns.size()),
          numbers_(sample, criterion_),
          tables_(*sample.columns, sample.n_coded),
          load_(growth, sample, numbers_),
          weigh_(growth, sample, numbers_, load_),
          categories_(growth, sample, numbers_, load_, weigh_),
          write_(growth, sample, load_),
          small_(growth, sample),
          minimum_(weigh_.minimum()) {}
    RegressionSearcher(const RegressionSearcher&) = delete;
    RegressionSearcher& operator=(const RegressionSearcher&) = delete;

    // --- nodes ----------------------------------------------------------------------------------

    static std::size_t n_sums() { return kSums; }
    static constexpr bool kRegression = true;
    void total(std::vector<double>& sums, double& weight) const {
        std::vector<std::pair<double, double>> room;
        const auto all = moments(criterion_, {sample_.response, sample_.weight}, room);
        sums.assign(all.begin(), all.end());
        weight = all[kWeight];
    }
    static double impurity(std::span<const double> sums, double) { return sums[kImpurity]; }
    static double impurity_of(const Split& split, std::size_t branch) { return split.sums_of(branch)[kImpurity]; }
    // All responses are equal.
    static bool pure(std::span<const double> sums, double) { return sums[kRange] == 0; }
    static double value(std::span<const double> sums, double) { return sums[kAnswer]; }

    Facts facts(const Place& place, const Memory&) const {
        Facts facts;
        facts.begin = place.begin;
        facts.end = place.end;
        facts.sums = place.sums;
        facts.weight = place.weight;
        facts.impurity = place.impurity;
        facts.key = place.key;
        facts.bounds = place.bounds;
        // Searches and judges evaluate the same formula on the same sums: only the last digits may differ.
        facts.error = 8e-16 * facts.weight * facts.impurity;
        facts.slack = facts.weight * facts.tolerance() + 2 * facts.error;
        return facts;
    }

    void prepare(Facts& facts, std::span<const std::size_t> features) {
        numbers_.open(facts);
        tables_.forget();
        if (draws_ || !options_.histograms || criterion_ == Criterion::kAbsoluteError || sample_.n_coded == 0) return;
        tables_.choose(*sample_.columns, features);
        if (4 * (facts.end - facts.begin) < tables_.size()) return;
        const bool poisson = criterion_ == Criterion::kPoisson;
        tables_.count(sample_.rows.data() + facts.begin, sample_.rows.data() + facts.end, sample_.codes.data(),
                      [&](std::size_t row) {
                          const std::int64_t response = numbers_[row];
                          const double weight = kUnit ? 1.0 : sample_.weight[row];
                          const bool positive = poisson && sample_.response[row] > 0;
                          return [=](ValueSums<kUnit>& cell) { cell.add(response, weight, positive); };
                      });
    }
    void remember(Memory&, std::size_t, std::size_t, Team&) const {}
    void inherit(Memory&, std::span<const Heir<Memory>>, Team&) const {}

    bool grow_small(const Place& place, std::int64_t depth, std::size_t record, std::span<const std::size_t> features,
                    Output& output) {
        return small_.grow(place, depth, record, features, output);
    }

    // --- bounds ---------------------------------------------------------------------------------

    // Is bound() cheaper than search() at this node?
    bool bounds(const Facts& facts) const { return numbers_.tagged(facts); }
    // All that search() tells of a feature, with a bound in place of the best value; infinite if there is none.
    Found bound(const Facts& facts, std::size_t feature) const {
        Found found;
        const RankedColumn& column = (*sample_.columns)[feature];
        if (column.coded || load_.tag_of(feature) == 0) {
            found.value = std::numeric_limits<double>::infinity();
            return found;
        }
        const auto items = load_.items_of(facts, feature);
        std::int64_t first = 0, last = 0;
        if (survey_squares(items, feature, found, first, last)) {
            found.value = bound_by_tags(items, numbers_.total_grade(), sample_.grades.bits, sample_.grades.step);
        }
        return found;
    }

    // --- splits ---------------------------------------------------------------------------------

    Association associate(const Facts& facts, std::size_t feature, Space& space) const {
        return associate_numbers(load_, tables_, sample_, numbers_, growth_, facts, feature, space);
    }

    // The best candidate of a feature; nothing below `floor` need be found.
    Found search(const Facts& facts, std::size_t feature, Space& space, double floor) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        if (!column.coded && !column.categorical && !constrained_ && !options_.random_cuts) {
            if (criterion_ == Criterion::kSquaredError) {
                const auto items = load_.items_of(facts, feature);
                if (kUnit && (!column.has_missing || items.back().rank != kNoRank<Index>)) {
                    return scan_squares(facts, items, feature, floor, space);
                }
                return scan<SquaredError>(facts, feature, floor, space);
            }
            if (criterion_ == Criterion::kPoisson) return scan<PoissonDeviance>(facts, feature, floor, space);
        }
        if (column.coded && !column.categorical && !column.has_missing && !constrained_ && !options_.random_cuts) {
            if (criterion_ == Criterion::kSquaredError) return scan_values<SquaredError>(facts, column, floor, space);
            if (criterion_ == Criterion::kPoisson) return scan_values<PoissonDeviance>(facts, column, floor, space);
        }
        Found found;
        const Steps steps = load_.load(facts, feature, tables_, space);
        found.constant = steps.constant;
        if (steps.constant) return found;
        found.n_cuts = steps.n_cuts;
        found.n_evaluated = options_.random_cuts ? std::min<std::int64_t>(1, steps.n_cuts) : steps.n_cuts;
        if (categories_.serves(feature)) {
            for (const auto& placed : categories_.list(facts, feature, steps, space)) {
                found.offer(placed.value, facts.slack, placed.at, placed.side);
            }
            const double parted = weigh_.missing_test(facts, steps, space);
            if (parted != kNone) found.offer_missing_test(parted, facts.slack);
            return found;
        }
        std::array<Way, 2> ways;
        const std::size_t n_ways = weigh_.list_ways(facts, feature, steps, space, ways);
        for (std::size_t k = 0; k < n_ways; ++k) {
            const Way& way = ways[k];
            const Range range = weigh_.allowed(steps, way, space);
            if (range.first > range.last) continue;
            weigh_.weigh(facts, feature, steps, way, range, space, space.value[k]);
            for (std::int64_t i = range.first; i <= range.last; ++i) {
                const double value = space.value[k][static_cast<std::size_t>(i)];
                if (value == kNone) continue;
                found.offer(value, facts.slack, at_of(feature, steps, space, i), way.side);
            }
        }
        const double parted = weigh_.missing_test(facts, steps, space);
        if (parted != kNone) found.offer_missing_test(parted, facts.slack);
        return found;
    }

    // The first candidate of a feature, in its order, whose gain is at least `least`; kLeaf if there is none.
    // `best` is the largest gain met on the way. With `only`, the one candidate that a search found is looked at.
    Split judge(const Facts& facts, std::size_t feature, double least, const Found* only, Space& space,
                double& best) const {
        Split split;
        best = kNone;
        const bool known = only != nullptr && !options_.random_cuts && !(*sample_.columns)[feature].categorical;
        Steps steps;
        if (!known) steps = load_.load(facts, feature, tables_, space);
        const auto good = [&](double value, std::uint32_t at, Side side, bool test) {
            const double gain = value / facts.weight;
            if (gain <= best && gain < least) return false;
            if (constrained_ || gain >= least) {
                write_.accept(facts, feature, at, side, test, steps, space, split);
                split.gain = split.merit = gain;
                if (constrained_ && !weigh_.keeps_constraints(facts, feature, split)) {
                    split = {};
                    return false;
                }
            }
            best = std::max(best, gain);
            if (gain >= least) return true;
            split = {};
            return false;
        };
        if (only != nullptr) {
            good(only->value, only->at, only->missing, only->is_missing_test);
            return split;
        }
        if (steps.constant) return split;
        if (categories_.serves(feature)) {
            for (const auto& placed : categories_.list(facts, feature, steps, space)) {
                if (good(placed.value, placed.at, placed.side, false)) return split;
            }
            const double parted = weigh_.missing_test(facts, steps, space);
            if (parted != kNone) good(parted, 0, Side::kNone, true);
            return split;
        }
        std::array<Way, 2> ways;
        std::array<Range, 2> ranges{};
        const std::size_t n_ways = weigh_.list_ways(facts, feature, steps, space, ways);
        std::int64_t first = static_cast<std::int64_t>(steps.n), last = -1;
        for (std::size_t k = 0; k < n_ways; ++k) {
            ranges[k] = weigh_.allowed(steps, ways[k], space);
            if (ranges[k].first > ranges[k].last) continue;
            weigh_.weigh(facts, feature, steps, ways[k], ranges[k], space, space.value[k]);
            first = std::min(first, ranges[k].first);
            last = std::max(last, ranges[k].last);
        }
        for (std::int64_t i = first; i <= last; ++i) {
            for (std::size_t k = 0; k < n_ways; ++k) {
                if (i < ranges[k].first || i > ranges[k].last) continue;
                const double value = space.value[k][static_cast<std::size_t>(i)];
                if (value != kNone && good(value, at_of(feature, steps, space, i), ways[k].side, false)) return split;
            }
        }
        const double parted = weigh_.missing_test(facts, steps, space);
        if (parted != kNone) good(parted, 0, Side::kNone, true);
        return split;
    }

  private:
    using Weigher = CutWeigher<Index, kUnit>;
    using Way = typename Weigher::Way;
    using Range = typename Weigher::Range;
    static constexpr double kNone = Weigher::kNone;

    std::uint32_t at_of(std::size_t feature, const Steps& steps, const Space& space, std::int64_t i) const {
        if (!steps.by_row && !(*sample_.columns)[feature].categorical) {
            return static_cast<std::uint32_t>(space.code[static_cast<std::size_t>(i)]);
        }
        return static_cast<std::uint32_t>(i + 1);
    }

    // What is known of such a column before its cuts are weighed, and their range; false if there is none.
    bool survey_squares(std::span<const Item<Index>> items, std::size_t feature, Found& found, std::int64_t& first,
                        std::int64_t& last) const {
        const int tag = load_.tag_of(feature);
        const auto rows = static_cast<std::int64_t>(items.size());
        found.constant = !cut_between(items[0], items.back(), tag);
        if (found.constant) return false;
        found.n_cuts = found.n_evaluated = load_.distinct(feature) ? rows - 1 : count_cuts(items, tag);
        first = minimum_.rows - 1;
        last = rows - minimum_.rows - 1;
        if (first > last) return false;
        found.feasible =
            cut_between(items[static_cast<std::size_t>(first)], items[static_cast<std::size_t>(last + 1)], tag);
        return found.feasible;
    }

    // The best cut of a sorted numeric column, for squared error and unit weights, when all rows are known.
    Found scan_squares(const Facts& facts, std::span<const Item<Index>> items, std::size_t feature, double floor,
                       Space& space) const {
        Found found;
        std::int64_t first = 0, last = 0;
        if (!survey_squares(items, feature, found, first, last)) return found;
        const int tag = load_.tag_of(feature);
        const double units = weigh_.scale();
        const CutFactors* factors = items.size() <= Numbers<Index>::kFactors ? &numbers_.factors() : nullptr;
        const auto highest_of = [&]<bool kDistinct>() {
            return space.blocks.template highest<kDistinct>(items.data(), first, last, numbers_.data(),
                                                            numbers_.sides(), factors, tag);
        };
        const double highest =
            load_.distinct(feature) ? highest_of.template operator()<true>() : highest_of.template operator()<false>();
        found.value = highest * units;
        if (found.value < floor - facts.slack) return found;
        const double least = (found.value - facts.slack) / units;
        found.value = kNone;
        const auto offer = [&](std::int64_t i, double value) {
            found.offer(units * value, facts.slack, static_cast<std::uint32_t>(i + 1), Side::kNone);
        };
        space.blocks.each(items.data(), last, numbers_.data(), numbers_.sides(), factors, tag, least, offer);
        return found;
    }

    // The best cut of a sorted numeric column.
    template <class Kind>
    Found scan(const Facts& facts, std::size_t feature, double floor, Space& space) const {
        const auto items = load_.items_of(facts, feature);
        Found found;
        const Steps steps = load_.survey(facts, feature);
        found.constant = steps.constant;
        if (steps.constant) return found;
        found.n_cuts = found.n_evaluated = steps.n_cuts;
        std::array<Way, 2> ways;
        const std::size_t n_ways = weigh_.list_ways(facts, feature, steps, space, ways);
        const double units = weigh_.scale();
        for (std::size_t k = 0; k < n_ways; ++k) {
            const Way& way = ways[k];
            const Range range = weigh_.allowed_by_rows(steps, way);
            const auto least = [&] { return (std::max(floor, found.value) - facts.slack - way.constant) / units; };
            found.feasible |= scan_sorted<Kind>(
                items.data(), range.first, range.last, numbers_.data(), kUnit ? nullptr : sample_.weight.data(),
                minimum_.weight, way.sides, least(), [&](std::int64_t i, double value) {
                    found.offer(units * value + way.constant, facts.slack, static_cast<std::uint32_t>(i + 1), way.side);
                    return least();
                });
        }
        const double parted = weigh_.missing_test(facts, steps, space);
        if (parted != kNone) found.offer_missing_test(parted, facts.slack);
        return found;
    }

    // The best cut of a coded numeric column without missing rows.
    template <class Kind>
    Found scan_values(const Facts& facts, const RankedColumn& column, double floor, Space& space) const {
        Found found;
        load_.gather_coded(facts, column, tables_, space);
        const TwoSides& sides = numbers_.sides();
        const Kind kind{sides.weight, sides.centre};
        const double units = weigh_.scale(), drift = sides.drift();
        const auto least = [&] { return kind.limit((std::max(floor, found.value) - facts.slack) / units); };
        double limit = least(), left = 0;
        std::int64_t sum = 0, rows = 0, values = 0;
        std::size_t before = 0;
        std::int64_t positive = 0;
        bool allowed = false;
        space.table.drain([&](std::size_t code, const ValueSums<kUnit>& cell) {
            // The cut before this value.
            if (values++ > 0 && allowed && facts.rows() - rows >= minimum_.rows &&
                (criterion_ != Criterion::kPoisson || positive < numbers_.n_positive())) {
                const double right = sides.weight - left, d = static_cast<double>(sum) - drift * left;
                if (right >= minimum_.weight) {
                    found.feasible = true;
                    if (kind.reaches(d, left, right, limit)) {
                        found.offer(units * Kind::value(d, left, right, sides.centre), facts.slack,
                                    static_cast<std::uint32_t>(before), Side::kNone);
                        limit = least();
                    }
                }
            }
            sum += cell.sum;
            rows += cell.rows;
            left += cell.weight();
            positive += cell.positive;
            before = code;
            allowed =
                rows >= minimum_.rows && left >= minimum_.weight && (criterion_ != Criterion::kPoisson || positive > 0);
        });
        found.constant = values == 1;
        found.n_cuts = found.n_evaluated = values - 1;
        return found;
    }

    const Sample<Index>& sample_;
    const Growth& growth_;
    const Options& options_;
    Criterion criterion_;
    bool constrained_, draws_;
    Numbers<Index> numbers_;
    Tables<kUnit> tables_;
    StepLoader<Index, kUnit> load_;
    Weigher weigh_;
    CategoryWeigher<Index, kUnit> categories_;
    SplitWriter<Index, kUnit> write_;
    SmallSubtree<Index> small_;
    const Minimum& minimum_;
};

}  // namespace boxwood
