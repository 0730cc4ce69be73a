// How good is a split? Criteria as functions of exact class counts.
//
// Every criterion here is a concave node impurity I, and a split is worth its
// gain I(node) - sum_c w_c/w I(c). Each impurity is handled through its worth
//     P(counts) = w * (constant - I),     larger is purer,
// so that the gain of a split is (sum_c P(c) - P(node)) / w:
//     Gini     P = sum_k c_k^2 / w                       (I = 1 - sum p^2)
//     entropy  P = sum_k c_k log2 c_k - w log2 w         (I = -sum p log2 p)
// Adding the P of two sides is what fast searches do (see balance.hpp). The
// functions below are the judges: they are evaluated from exact counts and in
// a form without cancellation, so that two searches that find the same cut give
// it the same score to the last bit, and ties can be told at 1e-12.
#pragma once

#include <span>

namespace boxwood {

enum class Criterion { kGini, kEntropy, kGainRatio };

// Gain ratio measures impurity by entropy; only the comparison of features differs.
inline bool uses_entropy(Criterion criterion) {
    return criterion != Criterion::kGini;
}

double impurity(Criterion criterion, std::span<const double> counts, double weight);

// P of one branch.
double worth(Criterion criterion, std::span<const double> counts, double weight);

// What one branch adds to the gain of a split of `total`:
// Gini: w_c/w sum_k (p_ck - q_k)^2; entropy: w_c/w sum_k p_ck log2(p_ck / q_k).
double branch_gain(Criterion criterion, std::span<const double> branch, double branch_weight,
                   std::span<const double> total, double total_weight);

// The entropy in bits of the branch weights: what gain ratio divides by.
double split_information(std::span<const double> branch_weights, double total_weight);

}  // namespace boxwood
