// Where a growth takes place: what all engines share, and what is known of a node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "criteria/balance.hpp"
#include "data/column.hpp"
#include "grow/options.hpp"
#include "threads/monitor.hpp"

namespace boxwood {

// What all engines of one growth share.
struct Growth {
    const Options& options;
    std::span<const Column> columns;
    std::size_t n_classes;  // 0: the target is a number
    double total_weight;
    const CountTables& tables;
    Monitor& monitor;
    double unit = 1;  // what a weight is multiplied by where it stands for a number of rows, see association.hpp
};

// Weights whose sum is below the number of rows (AdaBoost's sum to 1) are brought to a mean of 1.
inline double unit_of(double total_weight, std::size_t n_rows) {
    return std::max(1.0, static_cast<double>(n_rows) / total_weight);
}

// Does the gain of a split satisfy min_impurity_decrease? `weight`: of its node.
inline bool enough_gain(const Growth& growth, double weight, double gain) {
    const double least = growth.options.min_impurity_decrease;
    return least <= 0 || weight / growth.total_weight * gain + std::numeric_limits<double>::epsilon() >= least;
}

// The values that the leaves below a node may have, under monotonic constraints above it.
struct Bounds {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    bool allow(double value) const { return lower <= value && value <= upper; }
};

// A node: its rows are [begin, end) of the sample's lists.
struct Place {
    std::size_t begin = 0, end = 0;
    std::span<const double> sums;  // class counts; or sums and the answer
    double weight = 0, impurity = 0;
    std::uint64_t key = 0;  // of its random draws
    Bounds bounds;
};

// A child that takes over its parent's memory.
template <class Memory>
struct Heir {
    std::size_t begin, end;
    bool open;  // it will be searched
    Memory* memory;
    std::size_t rows() const { return end - begin; }
};

}  // namespace boxwood
