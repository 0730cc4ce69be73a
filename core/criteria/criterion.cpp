#include "criteria/criterion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace boxwood {
namespace {

double gini(std::span<const double> counts, double weight) {
    // sum p (1 - p) rather than 1 - sum p^2: exact zero when pure, no cancellation.
    double sum = 0;
    for (const double c : counts) sum += c / weight * ((weight - c) / weight);
    return sum;
}

double entropy(std::span<const double> counts, double weight) {
    double sum = 0;
    for (const double c : counts) {
        if (c > 0 && c < weight) sum -= c / weight * std::log2(c / weight);
    }
    return sum;
}

double tsallis(std::span<const double> counts, double weight, double q) {
    double sum = 0;
    for (const double c : counts) {
        if (!(c > 0 && c < weight)) continue;
        const double p = c / weight;
        if (q == 1.5) {  // (1 - sqrt(p)) / (q - 1), without a logarithm and without loss where p is near 1
            sum += 2 * p * ((weight - c) / weight) / (1 + std::sqrt(p));
            continue;
        }
        const double log = std::log(p);
        sum -= q == 1 ? p * log : p * (std::expm1((q - 1) * log) / (q - 1));
    }
    return sum;
}

double sine(std::span<const double> counts, double weight) {
    if (counts.size() == 2) return sine_of_share(std::min(counts[0], counts[1]) / weight);
    double sum = 0;
    for (const double c : counts) sum += sine_of_share(c / weight);
    return sum;
}

double ambiguity(std::span<const double> counts) {
    if (counts.size() == 2) {
        return std::log(2.0) * (std::min(counts[0], counts[1]) / std::max(counts[0], counts[1]));
    }
    std::vector<double> sorted;
    for (const double c : counts) {
        if (c > 0) sorted.push_back(c);
    }
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        sum += sorted[i] * (std::log(static_cast<double>(i + 1)) - std::log(static_cast<double>(i)));
    }
    return sum / sorted[0];
}

// What one branch adds to the gain of a split of `total`.
double gini_part(std::span<const double> branch, double weight, std::span<const double> total, double total_weight) {
    double sum = 0;
    for (std::size_t k = 0; k < total.size(); ++k) {
        const double difference = branch[k] * total_weight - total[k] * weight;
        sum += difference * difference;
    }
    return sum / (weight * total_weight) / (total_weight * total_weight);
}

double entropy_part(std::span<const double> branch, double weight, std::span<const double> total, double total_weight) {
    double sum = 0;
    for (std::size_t k = 0; k < total.size(); ++k) {
        if (branch[k] <= 0) continue;
        sum += branch[k] * std::log2((branch[k] * total_weight) / (weight * total[k]));
    }
    return sum / total_weight;
}

template <class Some>
double twoing(const Some& branches, double total_weight) {
    double score = 0;
    for (std::size_t a = 0; a < branches.n; ++a) {
        for (std::size_t b = a + 1; b < branches.n; ++b) {
            double sum = 0;
            for (std::size_t k = 0; k < branches.counts[a].size(); ++k) {
                sum +=
                    std::fabs(branches.counts[a][k] * branches.weight[b] - branches.counts[b][k] * branches.weight[a]);
            }
            // sum / (w_a w_b) is the sum of the differences of shares.
            score += sum / total_weight * (sum / total_weight) / (branches.weight[a] * branches.weight[b]);
        }
    }
    return score / 4;
}

// The squared distance between a class and the others.
template <class Some>
double hellinger_squared(const Some& branches, std::size_t k, double in, double out) {
    double sum = 0;
    for (std::size_t b = 0; b < branches.n; ++b) {
        const double c = branches.counts[b][k];
        const double difference = std::sqrt(c / in) - std::sqrt((branches.weight[b] - c) / out);
        sum += difference * difference;
    }
    return sum;
}

template <class Some>
double hellinger(const Some& branches, std::span<const double> total, double total_weight) {
    double sum = 0;
    std::size_t present = 0, last = 0;
    for (std::size_t k = 0; k < total.size(); ++k) {
        if (!(total[k] > 0)) continue;
        ++present;
        last = k;
    }
    if (present < 2) return 0;
    if (present == 2) return std::sqrt(hellinger_squared(branches, last, total[last], total_weight - total[last]));
    for (std::size_t k = 0; k < total.size(); ++k) {
        if (total[k] > 0) sum += std::sqrt(hellinger_squared(branches, k, total[k], total_weight - total[k]));
    }
    return sum / static_cast<double>(present);
}

}  // namespace

CutRule Measure::rule(std::size_t n_classes) const {
    switch (kind) {
        case Criterion::kAmbiguity: return n_classes <= 2 ? CutRule::kEqualShares : CutRule::kAll;
        case Criterion::kHellinger: return n_classes <= 2 ? CutRule::kBoundaries : CutRule::kAll;
        case Criterion::kGiven: return given_rule;
        default: return CutRule::kBoundaries;
    }
}

double impurity(const Measure& measure, std::span<const double> counts, double weight) {
    switch (measure.kind) {
        case Criterion::kEntropy:
        case Criterion::kGainRatio: return entropy(counts, weight);
        case Criterion::kTsallis: return tsallis(counts, weight, measure.q);
        case Criterion::kSine: return sine(counts, weight);
        case Criterion::kAmbiguity: return ambiguity(counts);
        case Criterion::kError: return (weight - *std::max_element(counts.begin(), counts.end())) / weight;
        default: return gini(counts, weight);
    }
}

double worth(const Measure& measure, std::span<const double> counts, double weight) {
    if (weight <= 0 || measure.is_score()) return 0;
    double sum = 0;
    switch (measure.kind) {
        case Criterion::kEntropy:
        case Criterion::kGainRatio:
            for (const double c : counts) {
                if (c > 0) sum += c * std::log2(c);
            }
            return sum - weight * std::log2(weight);
        case Criterion::kError: return *std::max_element(counts.begin(), counts.end());
        case Criterion::kGini:
        case Criterion::kGiven:
            for (const double c : counts) sum += c * c;
            return sum / weight;
        case Criterion::kTsallis: {
            // Near q = 1 the constant would drown the impurity.
            const double constant = std::fabs(measure.q - 1) > kNearShannon ? weight / (measure.q - 1) : 0.0;
            return constant - weight * impurity(measure, counts, weight);
        }
        default: return -weight * impurity(measure, counts, weight);
    }
}

double gain_part(const Measure& measure, std::span<const double> branch, double weight, std::span<const double> total,
                 double total_weight) {
    if (measure.uses_entropy()) return entropy_part(branch, weight, total, total_weight);
    if (measure.kind == Criterion::kGini || measure.kind == Criterion::kGiven || measure.is_score()) {
        return gini_part(branch, weight, total, total_weight);
    }
    return -(weight / total_weight * impurity(measure, branch, weight));
}

double gain_base(const Measure& measure, std::span<const double> total, double total_weight) {
    const bool whole = measure.uses_entropy() || measure.kind == Criterion::kGini ||
                       measure.kind == Criterion::kGiven || measure.is_score();
    return whole ? 0.0 : impurity(measure, total, total_weight);
}

namespace {

template <class Some>
double gain_of(const Measure& measure, const Some& branches, std::span<const double> total, double total_weight) {
    double sum = 0;
    for (std::size_t b = 0; b < branches.n; ++b) {
        sum += gain_part(measure, branches.counts[b], branches.weight[b], total, total_weight);
    }
    return gain_base(measure, total, total_weight) + sum;
}

template <class Some>
double merit_of(const Measure& measure, const Some& branches, std::span<const double> total, double total_weight) {
    if (measure.kind == Criterion::kTwoing) return twoing(branches, total_weight);
    if (measure.kind == Criterion::kHellinger) return hellinger(branches, total, total_weight);
    return gain_of(measure, branches, total, total_weight);
}

}  // namespace

double gain(const Measure& measure, const Branches& branches, std::span<const double> total, double total_weight) {
    return gain_of(measure, branches, total, total_weight);
}
double gain(const Measure& measure, const ManyBranches& branches, std::span<const double> total, double total_weight) {
    return gain_of(measure, branches, total, total_weight);
}
double merit(const Measure& measure, const Branches& branches, std::span<const double> total, double total_weight) {
    return merit_of(measure, branches, total, total_weight);
}
double merit(const Measure& measure, const ManyBranches& branches, std::span<const double> total, double total_weight) {
    return merit_of(measure, branches, total, total_weight);
}

double split_information(std::span<const double> branch_weights, double total_weight) {
    return entropy(branch_weights, total_weight);
}

}  // namespace boxwood
