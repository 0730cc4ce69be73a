#include "select/stopping.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "select/chi_square.hpp"

namespace boxwood {
namespace {

double leaf_bits(std::span<const double> counts, double weight, double scale) {
    double bits = 0;
    for (const double count : counts) {
        if (count > 0 && count < weight) bits -= count * std::log2(count / weight);
    }
    const double n = weight * scale;
    return 1 + bits * scale + (static_cast<double>(counts.size()) - 1) / 2 * std::log2(std::max(n, 1.0));
}

std::vector<double> totals(const BranchTable& table) {
    const std::size_t n_classes = table.counts.size() / table.weight.size();
    std::vector<double> total(n_classes, 0.0);
    for (std::size_t i = 0; i < table.counts.size(); ++i) total[i % n_classes] += table.counts[i];
    return total;
}

double sum_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

}  // namespace

double significance(const BranchTable& table) {
    const std::vector<double> total = totals(table);
    const double all = sum_of(table.weight);
    double statistic = 0;
    std::size_t classes = 0;
    for (std::size_t k = 0; k < total.size(); ++k) {
        if (!(total[k] > 0)) continue;
        ++classes;
        for (std::size_t b = 0; b < table.weight.size(); ++b) {
            const double expected = table.weight[b] * (total[k] / all);
            const double difference = table.counts[b * total.size() + k] - expected;
            statistic += difference * difference / expected;
        }
    }
    if (classes < 2) return 1;
    const auto freedom = static_cast<double>(classes - 1) * static_cast<double>(table.weight.size() - 1);
    return std::exp(log_chi_square_tail(statistic * table.scale, freedom));
}

double bits_saved(const BranchTable& table, std::size_t n_columns, double n_choices) {
    const std::vector<double> total = totals(table);
    double split = 1 + std::log2(static_cast<double>(n_columns)) + std::log2(n_choices);
    for (std::size_t b = 0; b < table.weight.size(); ++b) {
        split += leaf_bits(table.counts.subspan(b * total.size(), total.size()), table.weight[b], table.scale);
    }
    return leaf_bits(total, sum_of(table.weight), table.scale) - split;
}

}  // namespace boxwood
