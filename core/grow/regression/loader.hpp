// One feature's rows at one node, as steps in the order of its values.
//
// Between two neighbouring steps lies a cut. Of a sorted numeric column every
// known row is a step (and there is no cut between equal values); of a coded
// column, or of categories, every value that is present is one. Categories are
// put in the order of their mean response, for every criterion: for squared error
// and the Poisson deviance some cut of that order is the best of all subsets
// (Fisher 1958; Breiman et al. 1984, section 9.4); for absolute error it is a
// heuristic. At random cuts one cut is drawn, see random.hpp: a threshold, or a
// bit for each category.
//
// What lies left of each cut is written into the scratch room: sums of the
// rounded responses (numbers.hpp), weights, rows. Rows without a value stand
// aside.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "data/buffer.hpp"
#include "data/column.hpp"
#include "grow/place.hpp"
#include "grow/random.hpp"
#include "grow/regression/medians.hpp"
#include "grow/regression/numbers.hpp"
#include "grow/regression/scan.hpp"
#include "grow/regression/tables.hpp"
#include "grow/sample.hpp"
#include "search/found.hpp"
#include "select/association.hpp"

namespace boxwood {

struct Steps {
    static constexpr std::size_t kEvery = std::numeric_limits<std::size_t>::max();

    std::size_t n = 0;
    bool by_row = false;    // every known row is a step
    bool constant = false;  // one value only
    std::int64_t known_rows = 0, missing_rows = 0;
    double known_weight = 0, missing_weight = 0;
    std::int64_t known_sum = 0, missing_sum = 0;
    std::int64_t first_positive = 0, last_positive = 0;  // steps with a positive response; none: n and -1
    bool missing_positive = false;
    std::int64_t n_cuts = 0;    // of a numeric column
    std::size_t only = kEvery;  // the one step after which a cut was drawn
    double threshold = 0;       // drawn with it
};

template <bool kUnit>
struct RegressionScratch {
    explicit RegressionScratch(const Growth&) {}
    Buffer<std::int64_t> sum;          // left of the cut after each step
    Buffer<double> weight;             // the same
    std::vector<std::int64_t> rows;    // the same, where steps are values
    std::vector<std::int32_t> code;    // of each value present
    std::vector<std::uint32_t> order;  // of categories: which value is which step
    std::vector<std::uint32_t> row;    // the rows in the order of the steps, where steps are values
    MomentTable<kUnit> table;
    std::vector<ValueSums<kUnit>> cells;  // of each value present
    std::vector<double> means;
    std::array<std::vector<double>, 2> value;  // of each cut, by the side of the missing rows
    MedianTree left, known;
    MedianList list;
    BlockScan blocks;
    Buffer<std::uint8_t> branch;
    Buffer<std::uint32_t> wide;               // the same, for many branches
    std::array<std::vector<double>, 3> y, w;  // by branch
    std::vector<std::pair<double, double>> room;
    AssociationSpace association;
};

template <class Index, bool kUnit>
class StepLoader {
  public:
    using Facts = RegressionFacts;
    using Space = RegressionScratch<kUnit>;
    using Cell = ValueSums<kUnit>;

    StepLoader(const Growth& growth, const Sample<Index>& sample, const Numbers<Index>& numbers)
        : sample_(sample), columns_(growth.columns), options_(growth.options), numbers_(numbers) {}

    Steps load(const Facts& facts, std::size_t feature, const Tables<kUnit>& tables, Space& space) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        if (column.coded) return load_coded(facts, feature, tables, space);
        return column.categorical ? load_sorted_categories(facts, feature, space)
                                  : load_sorted_numbers(facts, feature, space);
    }

    // Sums by value of a coded column: space.table.
    void gather_coded(const Facts& facts, const RankedColumn& column, const Tables<kUnit>& tables, Space& space) const {
        if (const Cell* cells = tables.of(column.slot)) {
            for (std::size_t code = 0; code <= column.n_values; ++code) space.table.put(code, cells[code]);
            return;
        }
        const std::uint8_t* codes = sample_.codes.data() + column.slot;
        const Index* rows = sample_.rows.data();
        if (kUnit && column.n_values == 2 && !column.has_missing && !poisson()) {
            // Two values: what one of them has, the other has not.
            std::int64_t sum = 0, above = 0;
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                const std::int64_t code = codes[rows[i] * sample_.n_coded];
                above += code;
                sum += numbers_[rows[i]] & -code;
            }
            Cell cell;
            cell.sum = numbers_.total() - sum;
            cell.rows = static_cast<std::uint32_t>(facts.rows() - above);
            space.table.put(0, cell);
            cell.sum = sum;
            cell.rows = static_cast<std::uint32_t>(above);
            space.table.put(1, cell);
            return;
        }
        if (facts.end - facts.begin < column.n_values) {
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                add_to(space.table.at(codes[rows[i] * sample_.n_coded]), rows[i]);
            }
            return;
        }
        for (std::size_t i = facts.begin; i < facts.end; ++i) {
            add_to(space.table.cell(codes[rows[i] * sample_.n_coded]), rows[i]);
        }
        space.table.note(column.n_values + 1);
    }

    // A sorted numeric column without its sums.
    Steps survey(const Facts& facts, std::size_t feature) const {
        const auto items = items_of(facts, feature);
        const std::size_t known = known_of(items, (*sample_.columns)[feature]);
        Steps steps;
        steps.by_row = true;
        steps.n = known;
        const int tag = tag_of(feature);
        steps.constant = known == 0 || (known == items.size() && !cut_between(items[0], items[known - 1], tag));
        if (steps.constant) return steps;
        for (std::size_t i = known; i < items.size(); ++i) add_missing(items[i].row, steps);
        finish(facts, steps);
        for (std::size_t i = 0; i + 1 < known; ++i) steps.n_cuts += cut_between(items[i], items[i + 1], tag);
        if (poisson()) {
            const auto row = [&](std::int64_t i) { return items[static_cast<std::size_t>(i)].row; };
            const auto end = static_cast<std::int64_t>(known);
            while (steps.first_positive < end && !positive(row(steps.first_positive))) ++steps.first_positive;
            steps.last_positive = end - 1;
            while (steps.last_positive >= 0 && !positive(row(steps.last_positive))) --steps.last_positive;
        }
        return steps;
    }

    std::span<const Item<Index>> items_of(const Facts& facts, std::size_t feature) const {
        return sample_.items_of((*sample_.columns)[feature], facts.begin, facts.end);
    }
    bool distinct(std::size_t feature) const { return sample_.distinct[(*sample_.columns)[feature].slot] != 0; }
    int tag_of(std::size_t feature) const { return sample_.tag_bits[(*sample_.columns)[feature].slot]; }
    double number_of(std::size_t feature, std::size_t row) const {
        return columns_[feature].number(sample_.origin_of(row));
    }

    // Is there a cut after this step?
    bool cut_after(const Steps& steps, std::span<const Item<Index>> items, std::size_t feature, std::size_t i) const {
        return !steps.by_row || cut_between(items[i], items[i + 1], tag_of(feature));
    }
    static double weight_at(const Steps& steps, const Space& space, std::size_t i) {
        if constexpr (kUnit) {
            if (steps.by_row) return static_cast<double>(i + 1);
        }
        return space.weight[i];
    }
    static std::int64_t rows_at(const Steps& steps, const Space& space, std::size_t i) {
        return steps.by_row ? static_cast<std::int64_t>(i + 1) : space.rows[i];
    }

    // space.row: the known rows in the order of the steps, then those without a value.
    void load_rows(const Facts& facts, std::size_t feature, const Steps& steps, Space& space) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        const std::size_t n = facts.end - facts.begin;
        space.row.resize(n);
        if (!column.coded && !column.categorical) {
            const auto items = items_of(facts, feature);
            for (std::size_t i = 0; i < n; ++i) space.row[i] = items[i].row;
            return;
        }
        // Where the rows of each value begin.
        std::vector<std::size_t> start(steps.n + 1);
        for (std::size_t i = 0; i < steps.n; ++i) {
            start[space.order[i]] = i == 0 ? 0 : static_cast<std::size_t>(space.rows[i - 1]);
        }
        start[steps.n] = static_cast<std::size_t>(steps.known_rows);
        if (column.coded) {
            std::array<std::uint32_t, kMostCoded + 1> value;
            for (std::size_t g = 0; g < steps.n; ++g) {
                value[static_cast<std::size_t>(space.code[g])] = static_cast<std::uint32_t>(g);
            }
            value[column.n_values] = static_cast<std::uint32_t>(steps.n);
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                const std::size_t row = sample_.rows[i];
                space.row[start[value[sample_.code(row, column.slot)]]++] = static_cast<std::uint32_t>(row);
            }
            return;
        }
        const auto items = items_of(facts, feature);
        std::size_t value = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (items[i].rank == kNoRank<Index>) {
                value = steps.n;
            } else if (i > 0 && items[i - 1].rank != items[i].rank) {
                ++value;
            }
            space.row[start[value]++] = items[i].row;
        }
    }

  private:
    bool poisson() const { return options_.measure.kind == Criterion::kPoisson; }
    bool positive(std::size_t row) const { return sample_.response[row] > 0; }

    void add_missing(std::size_t row, Steps& steps) const {
        ++steps.missing_rows;
        steps.missing_weight += kUnit ? 1.0 : sample_.weight[row];
        steps.missing_sum += numbers_[row];
        steps.missing_positive |= poisson() && positive(row);
    }
    // What the known rows hold is the rest.
    void finish(const Facts& facts, Steps& steps) const {
        steps.known_rows = facts.rows() - steps.missing_rows;
        steps.known_weight = facts.weight - steps.missing_weight;
        steps.known_sum = numbers_.total() - steps.missing_sum;
    }

    Steps load_sorted_numbers(const Facts& facts, std::size_t feature, Space& space) const {
        const auto items = items_of(facts, feature);
        Steps steps = survey(facts, feature);
        const std::size_t known = steps.n;
        if (steps.constant) return steps;
        if (space.sum.size() < known) space.sum.resize(known);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < known; ++i) space.sum[i] = sum += numbers_[items[i].row];
        if constexpr (!kUnit) {
            if (space.weight.size() < known) space.weight.resize(known);
            double weight = 0;
            for (std::size_t i = 0; i < known; ++i) space.weight[i] = weight += sample_.weight[items[i].row];
        }
        if (!options_.random_cuts) return steps;
        const double low = number_of(feature, items[0].row), high = number_of(feature, items[known - 1].row);
        if (!(low < high)) return steps;
        steps.threshold = draw_threshold(facts.key, feature, low, high);
        const auto above = std::partition_point(
            items.begin(), items.begin() + static_cast<std::ptrdiff_t>(known),
            [&](const Item<Index>& item) { return number_of(feature, item.row) <= steps.threshold; });
        steps.only = static_cast<std::size_t>(above - items.begin()) - 1;
        return steps;
    }

    static double draw_threshold(std::uint64_t key, std::size_t feature, double low, double high) {
        const double drawn = low + unit_draw(key, feature) * (high - low);
        return drawn < high ? drawn : low;
    }

    // --- values as steps ------------------------------------------------------------------------

    // Sums by value, those present: space.cells and space.code, in the order of the codes.
    Steps load_coded(const Facts& facts, std::size_t feature, const Tables<kUnit>& tables, Space& space) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        Steps steps;
        space.code.clear();
        space.cells.clear();
        gather_coded(facts, column, tables, space);
        space.table.drain([&](std::size_t code, const Cell& cell) {
            if (code == column.n_values) {
                steps.missing_rows = cell.rows;
                steps.missing_weight = cell.weight();
                steps.missing_sum = cell.sum;
                steps.missing_positive = cell.positive > 0;
            } else {
                space.code.push_back(static_cast<std::int32_t>(code));
                space.cells.push_back(cell);
            }
        });
        close_values(facts, feature, steps, space);
        if (!column.categorical && options_.random_cuts && steps.n > 1) {
            const auto number = [&](std::size_t g) { return column.values[static_cast<std::size_t>(space.code[g])]; };
            steps.threshold = draw_threshold(facts.key, feature, number(0), number(steps.n - 1));
            steps.only = 0;
            while (number(steps.only + 1) <= steps.threshold) ++steps.only;
        }
        return steps;
    }

    void add_to(Cell& cell, std::size_t row) const {
        cell.add(numbers_[row], kUnit ? 1.0 : sample_.weight[row], poisson() && positive(row));
    }

    Steps load_sorted_categories(const Facts& facts, std::size_t feature, Space& space) const {
        const auto items = items_of(facts, feature);
        const std::size_t known = known_of(items, (*sample_.columns)[feature]);
        Steps steps;
        space.code.clear();
        space.cells.clear();
        for (std::size_t i = 0; i < known; ++i) {
            if (i == 0 || items[i - 1].rank != items[i].rank) {
                space.code.push_back(columns_[feature].code(sample_.origin_of(items[i].row)));
                space.cells.emplace_back();
            }
            add_to(space.cells.back(), items[i].row);
        }
        for (std::size_t i = known; i < items.size(); ++i) add_missing(items[i].row, steps);
        close_values(facts, feature, steps, space);
        return steps;
    }

    // Puts the values in order and writes down what lies left of each cut.
    void close_values(const Facts& facts, std::size_t feature, Steps& steps, Space& space) const {
        finish(facts, steps);
        steps.n = space.code.size();
        steps.constant = steps.n == 0 || (steps.n == 1 && steps.missing_rows == 0);
        if (steps.constant) return;
        space.order.resize(steps.n);
        std::iota(space.order.begin(), space.order.end(), 0u);
        if (!(*sample_.columns)[feature].categorical) {
            steps.n_cuts = static_cast<std::int64_t>(steps.n) - 1;
        } else if (options_.random_cuts) {
            draw_bipartition(facts, feature, steps, space);
        } else {
            order_by_mean(space);
        }
        if (space.sum.size() < steps.n) space.sum.resize(steps.n);
        if (space.weight.size() < steps.n) space.weight.resize(steps.n);
        if (space.rows.size() < steps.n) space.rows.resize(steps.n);
        std::int64_t sum = 0, rows = 0;
        double weight = 0;
        steps.first_positive = static_cast<std::int64_t>(steps.n);
        steps.last_positive = -1;
        for (std::size_t i = 0; i < steps.n; ++i) {
            const Cell& cell = space.cells[space.order[i]];
            sum += cell.sum;
            rows += cell.rows;
            weight += cell.weight();
            space.sum[i] = sum;
            space.rows[i] = rows;
            space.weight[i] = weight;
            if (cell.positive == 0) continue;
            steps.first_positive = std::min(steps.first_positive, static_cast<std::int64_t>(i));
            steps.last_positive = static_cast<std::int64_t>(i);
        }
    }

    // Means that differ by rounding only are made equal, so that ties go to the lower code.
    void order_by_mean(Space& space) const {
        const std::size_t n = space.code.size();
        space.means.resize(n);
        double widest = 0;
        for (std::size_t g = 0; g < n; ++g) {
            const Cell& cell = space.cells[g];
            space.means[g] = static_cast<double>(cell.sum) / cell.weight();
            widest = std::max(widest, std::fabs(space.means[g]));
        }
        if (widest > 0) {
            const double digits = std::ldexp(1.0, 44 - std::ilogb(widest));
            for (double& mean : space.means) mean = std::nearbyint(mean * digits);
        }
        std::sort(space.order.begin(), space.order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return space.means[a] != space.means[b] ? space.means[a] < space.means[b] : a < b;
        });
    }

    void draw_bipartition(const Facts& facts, std::size_t feature, Steps& steps, Space& space) const {
        if (steps.n < 2) return;
        const auto left_end = std::stable_partition(space.order.begin(), space.order.end(), [&](std::uint32_t g) {
            return bit_draw(facts.key, feature, space.code[g]);
        });
        auto n_left = static_cast<std::size_t>(left_end - space.order.begin());
        if (n_left == 0) n_left = 1;  // the lowest code changes sides
        if (n_left == steps.n) {
            std::rotate(space.order.begin(), space.order.begin() + 1, space.order.end());
            --n_left;
        }
        steps.only = n_left - 1;
    }

    const Sample<Index>& sample_;
    std::span<const Column> columns_;
    const Options& options_;
    const Numbers<Index>& numbers_;
};

}  // namespace boxwood
