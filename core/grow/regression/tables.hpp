// Sums by value of coded columns.
//
// A MomentTable holds those of one column at one node. Between two uses all its
// cells are zero: whoever reads it out visits the values present, in order, and
// leaves zeros behind, so that a node of few rows costs no more than these,
// however many values the column has.
//
// Tables holds those of all coded columns, counted in one pass over the rows of
// a large node: the codes of a row share a cache line, which a pass per column
// would read again for each of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/ranks.hpp"

namespace boxwood {

template <bool kUnit>
struct ValueSums {
    std::int64_t sum = 0;  // of rounded responses
    std::uint32_t rows = 0;
    std::uint32_t positive = 0;  // rows whose response is positive, for the Poisson deviance

    void add(std::int64_t response, double, bool is_positive) {
        sum += response;
        ++rows;
        positive += is_positive;
    }
    double weight() const { return rows; }
};

template <>
struct ValueSums<false> {
    std::int64_t sum = 0;
    std::uint32_t rows = 0;
    std::uint32_t positive = 0;
    double total = 0;

    void add(std::int64_t response, double weight, bool is_positive) {
        sum += response;
        ++rows;
        positive += is_positive;
        total += weight;
    }
    double weight() const { return total; }
};

template <bool kUnit>
class MomentTable {
  public:
    using Cell = ValueSums<kUnit>;

    Cell& at(std::size_t code) {
        present_[code / 64] |= std::uint64_t{1} << (code % 64);
        return cells_[code];
    }
    // A cell that is filled before its value is noted.
    Cell& cell(std::size_t code) { return cells_[code]; }
    void note(std::size_t n_cells) {
        for (std::size_t code = 0; code < n_cells; ++code) {
            present_[code / 64] |= std::uint64_t{cells_[code].rows > 0} << (code % 64);
        }
    }
    void put(std::size_t code, const Cell& cell) {
        if (cell.rows > 0) at(code) = cell;
    }
    // visit(code, sums) for the values present, in order.
    template <class Visit>
    void drain(Visit visit) {
        for (std::size_t word = 0; word < present_.size(); ++word) {
            for (std::uint64_t bits = present_[word]; bits != 0; bits &= bits - 1) {
                const std::size_t code = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
                visit(code, cells_[code]);
                cells_[code] = {};
            }
            present_[word] = 0;
        }
    }

  private:
    std::array<Cell, kMostCoded + 1> cells_{};
    std::array<std::uint64_t, (kMostCoded + 1) / 64> present_{};
};

template <bool kUnit>
class Tables {
  public:
    using Cell = ValueSums<kUnit>;

    Tables(const std::vector<RankedColumn>& columns, std::size_t n_coded) : start_(n_coded) {
        for (const RankedColumn& column : columns) {
            if (!column.coded) continue;
            start_[column.slot] = all_;
            all_ += column.n_values + 1;
        }
    }

    // The coded columns among these features will be counted.
    void choose(const std::vector<RankedColumn>& columns, std::span<const std::size_t> features) {
        chosen_.clear();
        size_ = 0;
        for (const std::size_t feature : features) {
            if (!columns[feature].coded) continue;
            chosen_.push_back({columns[feature].slot, start_[columns[feature].slot]});
            size_ += columns[feature].n_values + 1;
        }
        std::sort(chosen_.begin(), chosen_.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
    }

    std::size_t size() const { return size_; }  // of the cells that count() would fill
    // The cells of a coded column: one for each value, then that of rows without one; null: none were counted.
    const Cell* of(std::size_t slot) const { return counted_ ? cells_.data() + start_[slot] : nullptr; }
    void forget() { counted_ = false; }

    // add(cell, row) for each of these rows and each column chosen.
    template <class Index, class Add>
    void count(const Index* begin, const Index* end, const std::uint8_t* codes, Add add) {
        cells_.assign(all_, {});
        counted_ = true;
        const std::size_t n = start_.size();
        for (const Index* row = begin; row < end; ++row) {
            const std::uint8_t* here = codes + *row * n;
            const auto add_row = add(*row);
            for (const Chosen& column : chosen_) add_row(cells_[column.start + here[column.slot]]);
        }
    }

  private:
    struct Chosen {
        std::size_t slot, start;
    };
    std::size_t all_ = 0, size_ = 0;
    std::vector<Chosen> chosen_;
    std::vector<std::size_t> start_;  // by slot
    std::vector<Cell> cells_;
    bool counted_ = false;
};

}  // namespace boxwood
