// The graph whose cuts are groupings: one vertex per value, w_ij the benefit of parting values i and j.
//
// With A the counts, N their sum, N_i the weight of value i:
//     Squared Gini   w_ij = 2 / N^2 sum over ordered pairs x != y of m(x, y) A_ix A_jy
//     chi-square     w_ij = 1 / (n - 1) sum_k (A_ik N_j - A_jk N_i)^2 / (N_i N_j (A_ik + A_jk))
// With m = 1 the weight of a cut is Gini(S) - p_L^2 Gini(L) - p_R^2 Gini(R) (de
// Albuquerque Mello Pereira 2018, lemma 1); another symmetric m is what mixing two
// classes costs. Chi-square is the statistic of the 2 x K table of the two values
// alone, in a form without expected counts; n is the number of values. O(n^2 K).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/categorical/values.hpp"

namespace boxwood {

struct Graph {
    std::size_t n = 0;
    std::vector<double> weight;  // n x n, symmetric, zero on the diagonal

    explicit Graph(std::size_t size) : n(size), weight(size * size, 0.0) {}
    double operator()(std::size_t i, std::size_t j) const { return weight[i * n + j]; }
    const double* row(std::size_t i) const { return weight.data() + i * n; }
    void set(std::size_t i, std::size_t j, double w) { weight[i * n + j] = weight[j * n + i] = w; }
};

// `mixing`: classes x classes, symmetric; empty: every pair of different classes costs 1.
Graph squared_gini_weights(const DenseTable& table, std::span<const double> mixing);
Graph chi2_weights(const DenseTable& table);

double cut_weight(const Graph& graph, std::span<const std::uint8_t> side);

}  // namespace boxwood
