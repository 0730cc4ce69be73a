// Criteria of regression: the answer of a node, its impurity, and what a split of it gains.
//
// A node holds responses y with weights w; W is the sum of its weights.
//     squared error    answer: the mean m;    impurity  1/W sum w (y - m)^2, the variance
//     Poisson          answer: the mean m;    impurity  1/W sum w y ln(y / m), half the mean Poisson deviance
//     absolute error   answer: the median;    impurity  1/W sum w |y - median|
// A split gains I(node) - sum_b W_b/W I(b) (Breiman, Friedman, Olshen and Stone 1984, chapter 8, for squared and
// absolute error). For the first two the gain needs no more of a branch than its weight W_b and its centred sum
// D_b = sum_b w (y - m), where m is the mean of the node:
//     squared error    W gain = sum_b D_b^2 / W_b;   two branches: D^2 W / (W_1 W_2), since D_1 = -D_2
//     Poisson          W gain = m sum_b W_b phi(D_b / (m W_b)),   phi(x) = (1 + x) ln(1 + x) - x
// All terms are positive: nothing cancels, however far the node lies from zero. The second line follows from
// W gain = sum_b S_b ln(m_b / m), where S_b = m W_b (1 + x_b) is the sum of w y and m_b = m (1 + x_b) its mean, by
// taking away sum_b m W_b x_b = 0; the impurity 1/W sum w m phi(y / m - 1) is that of branches of one row each.
//
// Where the weight splits evenly, any number between the lower and the upper median is a median; the answer is
// the middle of the two, as in scikit-learn.
//
// The numbers of a node are computed from its rows in the order of the table, by sums of eight strands, so that
// they do not depend on how the rows came together.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "criteria/criterion.hpp"

namespace boxwood {

// phi(x) = (1 + x) ln(1 + x) - x for x >= -1, to within some units in the last place.
inline double poisson_excess(double x) {
    if (x <= -1) return 1.0;
    if (x > 0.02 || x < -0.02) return (1 + x) * std::log1p(x) - x;
    // x^2/2 - x^3/6 + x^4/12 - ...: the coefficient of x^k is 1 / (k (k - 1)), with alternating signs.
    double sum = 1.0 / 90;
    sum = 1.0 / 72 - x * sum;
    sum = 1.0 / 56 - x * sum;
    sum = 1.0 / 42 - x * sum;
    sum = 1.0 / 30 - x * sum;
    sum = 1.0 / 20 - x * sum;
    sum = 1.0 / 12 - x * sum;
    sum = 1.0 / 6 - x * sum;
    sum = 1.0 / 2 - x * sum;
    return x * x * sum;
}

inline constexpr std::size_t kStrands = 8;

inline double join_strands(const double* sums) {
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// The sum of term(0), ..., term(n - 1): eight running sums side by side, then their sum.
template <class Term>
double strand_sum(std::size_t n, Term term) {
    if (n > 0 && n <= 4) {  // most nodes are small: the same sum, without the strands that stay empty
        const auto start = [&](std::size_t i) { return 0.0 + term(i); };  // a sum of zeros has no sign
        const double pair = n > 1 ? start(0) + start(1) : start(0);
        return n > 3 ? pair + (start(2) + start(3)) : n > 2 ? pair + start(2) : pair;
    }
    std::array<double, kStrands> sums{};
    std::size_t i = 0;
    for (; i + kStrands <= n; i += kStrands) {
        for (std::size_t j = 0; j < kStrands; ++j) sums[j] += term(i + j);
    }
    for (std::size_t j = 0; i < n; ++i, ++j) sums[j] += term(i);
    return join_strands(sums.data());
}

// What is known of a node of a regression. Growth keeps the first kSums of these beside the node's record, which has
// weight and impurity.
enum Moment : std::size_t { kSum, kSquares, kAnswer, kRange, kSums, kWeight = kSums, kImpurity, kMoments };

// The rows of a node, or of a branch, in the order of the table.
struct Responses {
    std::span<const double> y;
    std::span<const double> weight;  // empty: all weights are 1

    std::size_t size() const { return y.size(); }
    double weight_of(std::size_t i) const { return weight.empty() ? 1.0 : weight[i]; }
    template <class Term>
    double sum(Term term) const {
        if (weight.empty()) return strand_sum(y.size(), [&](std::size_t i) { return term(y[i]); });
        return strand_sum(y.size(), [&](std::size_t i) { return weight[i] * term(y[i]); });
    }
};

// The middle of the lower and the upper weighted median. `room` is scratch.
inline double weighted_median(const Responses& rows, std::vector<std::pair<double, double>>& room) {
    room.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) room[i] = {rows.y[i], rows.weight_of(i)};
    if (rows.weight.empty()) {
        const auto middle = room.begin() + static_cast<std::ptrdiff_t>((room.size() - 1) / 2);
        std::nth_element(room.begin(), middle, room.end());
        if (room.size() % 2 == 1) return middle->first;
        return std::midpoint(middle->first, std::min_element(middle + 1, room.end())->first);
    }
    std::sort(room.begin(), room.end());
    double all = 0;
    for (const auto& [y, w] : room) all += w;
    double below = 0;
    std::size_t at = 0;
    while (2 * (below + room[at].second) < all) below += room[at++].second;
    if (2 * (below + room[at].second) > all) return room[at].first;
    return std::midpoint(room[at].first, room[at + 1].first);
}

// The moments of n >= 1 responses with unit weights, for squared error; what moments() gives. Of `y`, whole blocks of
// kStrands are read; the responses behind the last of them stand in `tail`, where as many numbers may be read.
void squared_moments(const double* y, std::size_t n, const double* tail, double* out);

// All moments of some rows; there is at least one.
inline std::array<double, kMoments> moments(Criterion criterion, const Responses& rows,
                                            std::vector<std::pair<double, double>>& room) {
    std::array<double, kMoments> out{};
    if (criterion == Criterion::kSquaredError && rows.weight.empty()) {
        const std::size_t whole = rows.size() / kStrands * kStrands;
        std::array<double, kStrands> tail{};
        std::copy(rows.y.begin() + static_cast<std::ptrdiff_t>(whole), rows.y.end(), tail.begin());
        squared_moments(rows.y.data(), rows.size(), tail.data(), out.data());
        return out;
    }
    const auto [least, most] = std::minmax_element(rows.y.begin(), rows.y.end());
    out[kRange] = *most - *least;
    out[kWeight] = rows.weight.empty() ? static_cast<double>(rows.size())
                                       : strand_sum(rows.size(), [&](std::size_t i) { return rows.weight[i]; });
    const double weight = out[kWeight];
    out[kSum] = rows.sum([](double y) { return y; });
    out[kSquares] = rows.sum([](double y) { return y * y; });
    if (out[kRange] == 0) {
        out[kAnswer] = *least;
        return out;
    }
    if (criterion == Criterion::kAbsoluteError) {
        const double median = weighted_median(rows, room);
        out[kAnswer] = median;
        out[kImpurity] = rows.sum([&](double y) { return std::fabs(y - median); }) / weight;
        return out;
    }
    // The mean in two steps: the second removes what rounding left.
    const double near = out[kSum] / weight;
    const double rest = rows.sum([&](double y) { return y - near; }) / weight;
    const double mean = std::clamp(near + rest, *least, *most);
    out[kAnswer] = mean;
    if (criterion == Criterion::kPoisson) {
        out[kImpurity] = mean * rows.sum([&](double y) { return poisson_excess((y - mean) / mean); }) / weight;
    } else {
        out[kImpurity] = rows.sum([&](double y) { return (y - mean) * (y - mean); }) / weight;
    }
    return out;
}

}  // namespace boxwood
