// Class counts per value of the coded columns at a node.
//
// Columns are ordered by the size of their table, so that a node of m rows keeps
// the columns whose table is small beside m: a prefix. One child's histograms
// are counted, the other's are the parent's minus those: exact, since sums of
// weights are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "grow/sample.hpp"

namespace boxwood {

class HistogramPlan {
  public:
    HistogramPlan(const std::vector<RankedColumn>& columns, std::size_t n_classes) : place_(columns.size(), kNone) {
        for (std::size_t f = 0; f < columns.size(); ++f) {
            if (columns[f].coded) features_.push_back(f);
        }
        const auto cells = [&](std::size_t f) { return (columns[f].n_values + 1) * n_classes; };
        std::stable_sort(features_.begin(), features_.end(),
                         [&](std::size_t a, std::size_t b) { return cells(a) < cells(b); });
        for (std::size_t i = 0; i < features_.size(); ++i) {
            const std::size_t f = features_[i];
            place_[f] = i;
            slots_.push_back(columns[f].slot);
            largest_.push_back(cells(f));
            offset_.push_back(offset_.back() + cells(f));
            row_offset_.push_back(row_offset_.back() + columns[f].n_values + 1);
        }
    }
    // How many columns a node of m rows keeps histograms of.
    std::size_t columns_for(std::size_t m) const {
        return static_cast<std::size_t>(std::upper_bound(largest_.begin(), largest_.end(), m / kRowsPerCell) -
                                        largest_.begin());
    }
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    static constexpr std::size_t kRowsPerCell = 2;
    std::size_t place(std::size_t feature) const { return place_[feature]; }
    std::size_t slot(std::size_t place) const { return slots_[place]; }
    std::size_t offset(std::size_t place) const { return offset_[place]; }
    std::size_t row_offset(std::size_t place) const { return row_offset_[place]; }

  private:
    std::vector<std::size_t> features_, place_, slots_, largest_, offset_{0}, row_offset_{0};
};

template <bool kUnit>
struct Histogram {
    using Cell = std::conditional_t<kUnit, std::uint32_t, double>;
    std::size_t n_columns = 0;
    std::vector<Cell> cells;          // by column, value, class
    std::vector<std::uint32_t> rows;  // by column, value; with weights only (else the cells tell)

    template <class Index>
    void count(const HistogramPlan& plan, const Sample<Index>& sample, std::size_t begin, std::size_t end,
               std::size_t n_classes, Team& team) {
        clear(plan);
        // Rows in parts, each member with counts of its own, or columns in groups where the counts are many beside
        // the rows; small nodes are one piece.
        const std::size_t n = end - begin;
        const bool shared = team.size() > 1 && n * n_columns > 100'000;
        const bool by_rows = shared && n / std::max<std::size_t>(4096, 4 * cells.size()) >= team.size();
        const std::size_t n_parts = by_rows ? std::min(n / 4096, 8 * team.size()) : 1;
        const std::size_t n_groups = shared && !by_rows ? std::min(n_columns, 2 * team.size()) : 1;
        std::vector<Histogram> others(by_rows ? team.size() - 1 : 0);
        team.each(n_parts * n_groups, [&](std::size_t piece, std::size_t member) {
            const std::size_t part = piece / n_groups, group = piece % n_groups;
            Histogram& into = by_rows && member > 0 ? others[member - 1] : *this;
            if (into.cells.empty()) {
                into.n_columns = n_columns;
                into.clear(plan);
            }
            into.add(plan, sample, begin + n * part / n_parts, begin + n * (part + 1) / n_parts, n_classes,
                     n_columns * group / n_groups, n_columns * (group + 1) / n_groups);
        });
        for (const Histogram& other : others) {  // those of members that came too late are empty
            for (std::size_t i = 0; i < other.cells.size(); ++i) cells[i] += other.cells[i];
            for (std::size_t i = 0; i < other.rows.size(); ++i) rows[i] += other.rows[i];
        }
    }
    // This node's histograms, from its parent's and its only sibling's.
    void subtract(const HistogramPlan& plan, const Histogram& parent, const Histogram& sibling) {
        cells.assign(parent.cells.begin(), parent.cells.begin() + static_cast<std::ptrdiff_t>(plan.offset(n_columns)));
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] -= sibling.cells[i];
        if constexpr (!kUnit) {
            rows.assign(parent.rows.begin(),
                        parent.rows.begin() + static_cast<std::ptrdiff_t>(plan.row_offset(n_columns)));
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i] -= sibling.rows[i];
        }
    }

  private:
    void clear(const HistogramPlan& plan) {
        cells.assign(plan.offset(n_columns), Cell{});
        if constexpr (!kUnit) rows.assign(plan.row_offset(n_columns), 0);
    }
    // Counts the rows [begin, end) in the columns [first, last).
    template <class Index>
    void add(const HistogramPlan& plan, const Sample<Index>& sample, std::size_t begin, std::size_t end,
             std::size_t n_classes, std::size_t first, std::size_t last) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t row = sample.rows[i], label = sample.label(row);
            const std::uint8_t* codes = sample.codes.data() + row * sample.n_coded;
            for (std::size_t c = first; c < last; ++c) {
                const std::size_t code = codes[plan.slot(c)];
                if constexpr (kUnit) {
                    ++cells[plan.offset(c) + code * n_classes + label];
                } else {
                    cells[plan.offset(c) + code * n_classes + label] += sample.weight[row];
                    ++rows[plan.row_offset(c) + code];
                }
            }
        }
    }
};

}  // namespace boxwood
