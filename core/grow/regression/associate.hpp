// How strongly a column goes with the numbers to be learned at a node: from rows to the tests of
// select/association.hpp.
//
// Sums of the target are whole numbers of units (numbers.hpp), whatever the criterion: the tests are about means.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grow/associate.hpp"
#include "grow/place.hpp"
#include "grow/regression/loader.hpp"
#include "grow/regression/numbers.hpp"
#include "grow/regression/tables.hpp"
#include "grow/sample.hpp"
#include "select/association.hpp"
#include "select/chi_square.hpp"

namespace boxwood {

template <class Index, bool kUnit>
Association associate_numbers(const StepLoader<Index, kUnit>& load, const Tables<kUnit>& tables,
                              const Sample<Index>& sample, const Numbers<Index>& numbers, const Growth& growth,
                              const RegressionFacts& facts, std::size_t feature, RegressionScratch<kUnit>& space) {
    const RankedColumn& column = (*sample.columns)[feature];
    const Screening& screening = growth.options.screening;
    AssociationSpace& room = space.association;
    Association out;
    // Values with their weights and sums, in order.
    std::vector<double>&x = room.x, &weights = room.counts, &sums = room.sums;
    x.clear();
    weights.clear();
    sums.clear();
    room.numbers.clear();
    std::size_t n_rows = 0;
    double weight = 0;
    std::int64_t total = 0;
    const auto each_known = [&](auto use) {
        if (column.coded) {
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                const std::size_t row = sample.rows[i];
                if (sample.code(row, column.slot) != column.n_values) use(row, i);
            }
        } else {
            const auto items = load.items_of(facts, feature);
            const std::size_t known = known_of(items, column);
            for (std::size_t i = 0; i < known; ++i) use(items[i].row, i);
        }
    };
    each_known([&](std::size_t row, std::size_t) {
        ++n_rows;
        weight += sample.weight_of(row);
        total += numbers[row];
    });
    if (column.coded || column.categorical) {
        load.load(facts, feature, tables, space);
        for (std::size_t g = 0; g < space.code.size(); ++g) {
            if (!column.categorical) x.push_back(column.values[static_cast<std::size_t>(space.code[g])]);
            weights.push_back(space.cells[g].weight());
            sums.push_back(static_cast<double>(space.cells[g].sum));
        }
    } else {
        const auto items = load.items_of(facts, feature);
        const int tag = load.tag_of(feature);
        std::int64_t sum = 0;
        each_known([&](std::size_t row, std::size_t i) {
            if (i == 0 || cut_between(items[i - 1], items[i], tag)) {
                if (i > 0) sums.push_back(static_cast<double>(sum));
                sum = 0;
                weights.push_back(0);
                x.push_back(load.number_of(feature, row));
            }
            weights.back() += sample.weight_of(row);
            sum += numbers[row];
        });
        if (n_rows > 0) sums.push_back(static_cast<double>(sum));
    }
    const std::size_t n_values = weights.size();
    out.constant = n_values == 0 || (n_values == 1 && n_rows == facts.end - facts.begin);
    const double size = growth.unit * weight;
    if (n_values < 2 || !(size > 1)) return out;
    const double mean = static_cast<double>(total) / weight;
    double squares = 0;
    each_known([&](std::size_t row, std::size_t) {
        const double w = sample.weight_of(row), y = static_cast<double>(numbers[row]) / w - mean;
        squares += w * y * y;
    });
    if (!(squares > 0)) return out;
    double statistic = 0, freedom = 1;
    if (column.categorical) {
        for (std::size_t g = 0; g < n_values; ++g) {
            const double rest = sums[g] - mean * weights[g];
            statistic += rest * (rest / weights[g]);
        }
        statistic /= squares;
        freedom = static_cast<double>(n_values - 1);
    } else {
        standardise(x, weights);
        double product = 0, x_squares = 0;
        for (std::size_t g = 0; g < n_values; ++g) {
            product += x[g] * (sums[g] - mean * weights[g]);
            x_squares += weights[g] * x[g] * x[g];
        }
        statistic = product / squares * (product / x_squares);
    }
    statistic = std::min(1.0, statistic);
    out.log_p = log_chi_square_tail((size - 1) * statistic, freedom);
    if (screening.permutations == 0) return out;
    each_known([&](std::size_t row, std::size_t) {
        const double w = sample.weight_of(row), y = static_cast<double>(numbers[row]) / w - mean;
        room.numbers.insert(room.numbers.end(), static_cast<std::size_t>(w), y);
    });
    std::sort(room.numbers.begin(), room.numbers.end());
    out.simulated = simulate_numbers(room.numbers, weights, x, statistic, screening.permutations,
                                     permutation_key(facts.key, feature), room.known);
    return out;
}

}  // namespace boxwood
