#include "select/stopping.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace boxwood {
namespace {

// The incomplete gamma function P(a, x) by its power series, for x < a + 1.
double lower_series(double a, double x) {
    double term = 1 / a, sum = term;
    for (double n = a + 1; term > sum * 1e-17; ++n) {
        term *= x / n;
        sum += term;
    }
    return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

// Q(a, x) = 1 - P(a, x) by its continued fraction, evaluated forwards (Lentz 1976), for x >= a + 1.
double upper_fraction(double a, double x) {
    constexpr double kTiny = 1e-300;
    double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, product = d;
    for (int i = 1; i < 100'000; ++i) {
        const double numerator = -i * (i - a);
        b += 2;
        d = numerator * d + b;
        if (std::fabs(d) < kTiny) d = kTiny;
        c = b + numerator / c;
        if (std::fabs(c) < kTiny) c = kTiny;
        d = 1 / d;
        product *= d * c;
        if (std::fabs(d * c - 1) < 1e-16) break;
    }
    return product * std::exp(a * std::log(x) - x - std::lgamma(a));
}

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

double chi_square_tail(double x, double freedom) {
    if (!(x > 0) || !(freedom > 0)) return 1;
    const double a = freedom / 2, half = x / 2;
    return half < a + 1 ? 1 - lower_series(a, half) : upper_fraction(a, half);
}

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
    return chi_square_tail(statistic * table.scale,
                           static_cast<double>(classes - 1) * static_cast<double>(table.weight.size() - 1));
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
