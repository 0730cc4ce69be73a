// Which feature? Selection among what the searches found.
//
// best score     the largest gain; features near it are settled by the judges, and
//                ties go to the lowest feature (Engine::choose_by_gain).
// average gain   Quinlan's gain ratio (C4.5, section 2.2): among the features
//                whose gain is at least the average over all features that can
//                be split, the largest ratio of gain to split information.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace boxwood {

// The place of the winner among features with these gains and ratios, in feature order.
inline std::size_t best_ratio(std::span<const double> gains, std::span<const double> ratios, double tolerance) {
    double average = 0;
    for (const double gain : gains) average += gain;
    average /= static_cast<double>(gains.size());
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < gains.size(); ++i) {
        if (gains[i] >= average - tolerance) best = std::max(best, ratios[i]);
    }
    std::size_t winner = 0;
    while (gains[winner] < average - tolerance || ratios[winner] < best - tolerance) ++winner;
    return winner;
}

}  // namespace boxwood
