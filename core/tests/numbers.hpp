// Random tables with a target of numbers, and trees grown on them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "criteria/regression.hpp"
#include "grow/regression/grow.hpp"
#include "tables.hpp"

namespace numbers {

using namespace boxwood;
using tables::same;

inline constexpr std::array kCriteria{Criterion::kSquaredError, Criterion::kPoisson, Criterion::kAbsoluteError};

struct Numbers {
    tables::Table table;
    std::vector<double> y;
    bool weighted = false;

    RegressionProblem problem() const {
        RegressionProblem out{table.columns, table.n_rows, y, {}};
        if (weighted) out.weights = table.weights;
        return out;
    }
    double weight(std::size_t row) const { return weighted ? table.weights[row] : 1.0; }
};

// Few different responses (counts, with zeros), or all different ones; far from zero or not.
inline Numbers make(std::size_t n_rows, double missing, bool counts, double offset, bool weighted, std::uint64_t seed) {
    Numbers out{tables::make(n_rows, 2, missing, seed), {}, weighted};
    std::mt19937_64 random(seed + 1000);
    std::normal_distribution<double> normal;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double x = out.table.numbers[row * 3 + 1];
        const double signal = (std::isnan(x) ? 2.0 : x) + out.table.codes[row * 2] % 3 + 0.5 * normal(random);
        out.y.push_back(offset + (counts ? std::floor(std::fabs(signal)) : std::fabs(signal)));
    }
    return out;
}

inline GrownTree grown(const Numbers& data, Options options, std::size_t n_threads = 1) {
    options.n_threads = n_threads;
    Monitor monitor(nullptr);
    return grow_regression(data.problem(), options, monitor);
}

// --- the textbook, row by row -----------------------------------------------------------------------

inline Options with(Criterion criterion) {
    Options options;
    options.measure.kind = criterion;
    return options;
}

}  // namespace numbers
