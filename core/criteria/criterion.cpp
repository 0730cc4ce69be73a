#include "criteria/criterion.hpp"

#include <cmath>
#include <cstddef>

namespace boxwood {

double impurity(Criterion criterion, std::span<const double> counts, double weight) {
    double sum = 0;
    if (uses_entropy(criterion)) {
        for (const double c : counts) {
            if (c > 0 && c < weight) sum -= c / weight * std::log2(c / weight);
        }
    } else {
        // sum p (1 - p) rather than 1 - sum p^2: exact zero when pure, no cancellation.
        for (const double c : counts) sum += c / weight * ((weight - c) / weight);
    }
    return sum;
}

double worth(Criterion criterion, std::span<const double> counts, double weight) {
    if (weight <= 0) return 0;
    double sum = 0;
    if (uses_entropy(criterion)) {
        for (const double c : counts) {
            if (c > 0) sum += c * std::log2(c);
        }
        return sum - weight * std::log2(weight);
    }
    for (const double c : counts) sum += c * c;
    return sum / weight;
}

double branch_gain(Criterion criterion, std::span<const double> branch, double branch_weight,
                   std::span<const double> total, double total_weight) {
    double sum = 0;
    if (uses_entropy(criterion)) {
        for (std::size_t k = 0; k < total.size(); ++k) {
            if (branch[k] <= 0) continue;
            sum += branch[k] * std::log2((branch[k] * total_weight) / (branch_weight * total[k]));
        }
        return sum / total_weight;
    }
    for (std::size_t k = 0; k < total.size(); ++k) {
        const double difference = branch[k] * total_weight - total[k] * branch_weight;
        sum += difference * difference;
    }
    return sum / (branch_weight * total_weight) / (total_weight * total_weight);
}

double split_information(std::span<const double> branch_weights, double total_weight) {
    return impurity(Criterion::kEntropy, branch_weights, total_weight);
}

}  // namespace boxwood
