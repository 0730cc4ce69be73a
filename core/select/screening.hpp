// Which features are searched at all? A look at each feature before the search.
//
// score                  all of them: nothing is tested
// chi2_filter            those that pass: the p-value of Pearson's test is at most max_p, and the second most frequent
//                        value weighs at least min_second. A numeric feature stands for its cuts, each a feature of two
//                        values: it passes if a cut passes.
// conditional_inference  the one with the smallest p-value (association.hpp), if that is at most alpha after
// Bonferroni's
//                        correction: times the number of features tested. If no split of it is allowed by the leaf
//                        minima, the next one.
// Log p-values that differ by rounding only tie, and ties go to the lowest feature. Simulated p-values are compared
// first, where there are any; among equal ones (strong features all reach the smallest) the chi-square decides.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "select/association.hpp"

namespace boxwood {

enum class Select : std::uint8_t { kScore, kChi2Filter, kConditional };

struct Screening {
    Select kind = Select::kScore;
    double max_p = 0.10, min_second = 15;  // of the filter
    double alpha = 0.05;                   // of conditional inference; infinite: no test is ever failed
    std::uint32_t permutations = 0;        // 0: p-values are those of the chi-square distribution
};

// The p-value that a feature is judged by, of so many tested.
inline double adjusted_p(const Screening& screening, const Association& of, std::size_t n_tests) {
    if (screening.kind == Select::kChi2Filter) return std::exp(of.log_p);
    const double tests = static_cast<double>(n_tests);
    if (screening.permutations > 0) return std::min(1.0, tests * of.simulated.p);
    return std::min(1.0, std::exp(of.log_p + std::log(tests)));
}

// Of the features that were tested, those that pass, in their order.
inline void screen(const Screening& screening, std::span<const std::size_t> features, std::span<const Association> of,
                   std::size_t n_tests, std::vector<std::size_t>& passed) {
    passed.clear();
    for (const std::size_t feature : features) {
        const Association& here = of[feature];
        if (here.constant) continue;
        const bool passes = screening.kind == Select::kChi2Filter
                                ? here.second >= screening.min_second && here.log_p <= std::log(screening.max_p)
                                : adjusted_p(screening, here, n_tests) <= screening.alpha;
        if (passes) passed.push_back(feature);
    }
    std::sort(passed.begin(), passed.end());
}

// Takes the most significant feature out of those that passed.
inline std::size_t take_most_significant(const Screening& screening, std::span<const Association> of,
                                         std::vector<std::size_t>& passed) {
    const auto behind = [&](std::size_t a, std::size_t b) {
        if (screening.permutations > 0 && of[a].simulated.middle != of[b].simulated.middle) {
            return of[a].simulated.middle > of[b].simulated.middle;
        }
        return of[a].log_p > of[b].log_p + 1e-11 * (1 + std::fabs(of[b].log_p));
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < passed.size(); ++i) {
        if (behind(passed[best], passed[i])) best = i;
    }
    const std::size_t feature = passed[best];
    passed.erase(passed.begin() + static_cast<std::ptrdiff_t>(best));
    return feature;
}

}  // namespace boxwood
