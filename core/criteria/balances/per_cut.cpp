#include "criteria/balances/per_cut.hpp"

#include <cmath>

#include "simd.hpp"

namespace boxwood {
namespace {

// sum_k sin(pi c_k / w) of both sides, each times its weight.
BOXWOOD_CLONES double sines(const double* left, const double* total, std::size_t n, double left_weight, double weight) {
    const double right_weight = weight - left_weight;
    const double l = 1 / left_weight, r = 1 / right_weight;
    double left_sum = 0, right_sum = 0;
#pragma omp simd reduction(+ : left_sum, right_sum)
    for (std::size_t k = 0; k < n; ++k) {
        left_sum += sine_of_share(left[k] * l);
        right_sum += sine_of_share((total[k] - left[k]) * r);
    }
    return left_weight * left_sum + right_weight * right_sum;
}

// sum_k |a_k w_b - b_k w_a| for b = total - a.
BOXWOOD_CLONES double difference(const double* a, const double* total, std::size_t n, double a_weight, double weight) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t k = 0; k < n; ++k) sum += std::fabs(a[k] * weight - total[k] * a_weight);
    return sum;
}

// Adds to the squared distance of every class from the others what a branch of counts c and weight w adds.
BOXWOOD_CLONES void add_distances(const double* c, const double* all, std::size_t n, double w, double all_weight,
                                  double* out) {
    for (std::size_t k = 0; k < n; ++k) {
        const double rest = all_weight - all[k];
        const double d = std::sqrt(c[k] / all[k]) - std::sqrt((w - c[k]) / rest);
        out[k] += d * d;
    }
}

double pair_score(double sum, double weight, double a_weight, double b_weight) {
    return sum / weight * (sum / weight) / (a_weight * b_weight);
}

}  // namespace

double sine_worth(PresentCounts& counts) {
    // With two classes the two sines are the same, and one counts.
    const double scale = counts.n_classes == 2 ? 0.5 : 1.0;
    return -scale *
           sines(counts.left.data(), counts.total.data(), counts.left.size(), counts.left_weight, counts.weight);
}

double twoing_worth(PresentCounts& counts) {
    const std::size_t n = counts.left.size();
    const double left = counts.left_weight, right = counts.weight - left, all = counts.weight + counts.aside_weight;
    double score =
        pair_score(difference(counts.left.data(), counts.total.data(), n, left, counts.weight), all, left, right);
    if (counts.aside_weight > 0) {
        counts.scratch.resize(2 * n);
        double* with_left = counts.scratch.data();
        double* with_right = with_left + n;
        for (std::size_t k = 0; k < n; ++k) {
            with_left[k] = counts.aside[k] + counts.left[k];
            with_right[k] = counts.aside[k] + counts.total[k] - counts.left[k];
        }
        const double aside = counts.aside_weight;
        score += pair_score(difference(counts.aside.data(), with_left, n, aside, aside + left), all, aside, left);
        score += pair_score(difference(counts.aside.data(), with_right, n, aside, aside + right), all, aside, right);
    }
    return all * score / 4;
}

double hellinger_worth(PresentCounts& counts) {
    const std::size_t n = counts.left.size();
    if (n < 2) return 0;
    const double all = counts.weight + counts.aside_weight;
    counts.scratch.assign(3 * n, 0.0);
    double* squares = counts.scratch.data();
    double* right = squares + n;
    double* node = right + n;
    for (std::size_t k = 0; k < n; ++k) {
        right[k] = counts.total[k] - counts.left[k];
        node[k] = counts.total[k] + (counts.aside.empty() ? 0.0 : counts.aside[k]);
    }
    add_distances(counts.left.data(), node, n, counts.left_weight, all, squares);
    add_distances(right, node, n, counts.weight - counts.left_weight, all, squares);
    if (counts.aside_weight > 0) add_distances(counts.aside.data(), node, n, counts.aside_weight, all, squares);
    if (n == 2) return all * std::sqrt(squares[0]);
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += std::sqrt(squares[k]);
    return all * sum / static_cast<double>(n);
}

}  // namespace boxwood
