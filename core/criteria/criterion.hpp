// How good is a split? Criteria as functions of exact class counts.
//
// Most criteria are node impurities I, and a split is worth its gain
//     I(node) - sum_b w_b/w I(b).
// With class shares p, sorted descending where that is said:
//     Gini       1 - sum p^2                                concave
//     entropy    - sum p log2 p                             concave
//     error      1 - max p                                  concave (two classes: linear)
//     Tsallis    (1 - sum p^q) / (q - 1)                    concave for q > 0; Gini is q = 2, entropy in nats q = 1
//     sine       sin(pi p); more classes: sum sin(pi p)     concave
//     ambiguity  sum_i (p_i - p_{i+1}) ln i / p_1, sorted   two classes: ln 2 min/max, convex on [0, 1/2]
// Two are scores of the split itself; nodes are then measured by Gini:
//     twoing     1/4 sum_{a<b} w_a w_b / w^2 (sum_k |p_ak - p_bk|)^2
//     Hellinger  sqrt(sum_b (sqrt(c_kb / c_k) - sqrt(d_kb / d_k))^2), d the rows of other classes than k: with two
//                classes of k = 1, with more the mean over the classes present
// What candidates compete by is their merit: the gain or the score. Searches use
// running sums (balance.hpp) that carry rounding errors; the functions below are
// the judges: they are evaluated from exact counts, so that two searches that
// find the same cut give it the same merit to the last bit, and ties can be told
// at 1e-12. Gini and entropy have a form without cancellation for that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace boxwood {

enum class Criterion : std::uint8_t {
    kGini,
    kEntropy,
    kGainRatio,
    kError,
    kAmbiguity,
    kSine,
    kTsallis,
    kTwoing,
    kHellinger,
    kGiven,  // scores come from the caller, see levels.hpp
    kSquaredError,
    kAbsoluteError,
    kPoisson,
};

// Which cuts of an ordered feature can be best, see candidate.hpp.
enum class CutRule : std::uint8_t { kBoundaries, kEqualShares, kAll };

struct Measure {
    Criterion kind = Criterion::kGini;
    double q = 0;  // of Tsallis
    // Of a given criterion; the others know theirs.
    CutRule given_rule = CutRule::kAll;

    // Gain ratio measures impurity by entropy; only the comparison of features differs.
    bool uses_entropy() const { return kind == Criterion::kEntropy || kind == Criterion::kGainRatio; }
    // Split scores measure nodes by Gini.
    bool is_score() const { return kind == Criterion::kTwoing || kind == Criterion::kHellinger; }
    CutRule rule(std::size_t n_classes) const;
};

inline constexpr double kNearShannon = 1e-3;

double impurity(const Measure& measure, std::span<const double> counts, double weight);

// What a branch adds to a running sum: w (constant - I), so that the sum over the branches minus that of the node
// is w times the gain. Zero for split scores.
//     Gini  sum_k c_k^2 / w;  entropy  sum_k c_k log2 c_k - w log2 w;  Tsallis  sum_k c_k^q w^(1-q) / (q - 1), but
//     -w I for q nearer to 1 than kNearShannon;  error  max_k c_k;  the others  -w I
double worth(const Measure& measure, std::span<const double> counts, double weight);

// Branches of a split with their class counts.
struct Branches {
    std::size_t n = 2;
    std::array<std::span<const double>, 3> counts;
    std::array<double, 3> weight{};
};

// The decrease of impurity by a split of `total`.
double gain(const Measure& measure, const Branches& branches, std::span<const double> total, double total_weight);
// The same for any number of branches: what one of them adds to it, and what is to be added to the sum over all.
double gain_part(const Measure& measure, std::span<const double> branch, double weight, std::span<const double> total,
                 double total_weight);
double gain_base(const Measure& measure, std::span<const double> total, double total_weight);
// What candidates compete by.
double merit(const Measure& measure, const Branches& branches, std::span<const double> total, double total_weight);

// The same with any number of branches; with two or three, to the last bit what the functions above give.
struct ManyBranches {
    std::size_t n = 0;
    std::span<const std::span<const double>> counts;
    std::span<const double> weight;
};
double gain(const Measure& measure, const ManyBranches& branches, std::span<const double> total, double total_weight);
double merit(const Measure& measure, const ManyBranches& branches, std::span<const double> total, double total_weight);

// The entropy in bits of the branch weights: what gain ratio divides by.
double split_information(std::span<const double> branch_weights, double total_weight);

// sin(pi p) for a share p, to within a few units in the last place, as a polynomial that compilers turn into vector
// code: p (1 - p) times a series in (p - 1/2)^2, so that it is exactly zero for pure shares.
inline double sine_of_share(double p) {
    const double t = p - 0.5, u = t * t;
    double sum = -3.5855647580833248e-9;
    sum = sum * u + 1.3789313343261689e-7;
    sum = sum * u - 4.2685963036747928e-6;
    sum = sum * u + 1.0357095584892701e-4;
    sum = sum * u - 1.9036815704416913e-3;
    sum = sum * u + 2.5330970997403637e-2;
    sum = sum * u - 2.2899788760954230e-1;
    sum = sum * u + 1.2780132969522039;
    sum = sum * u - 3.7392088021787172;
    sum = sum * u + 4.0;
    return p * (1 - p) * sum;
}

}  // namespace boxwood
