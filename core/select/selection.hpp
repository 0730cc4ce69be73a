// Which feature? Selection among what the searches found.
//
// best score     the largest gain; features within the tolerance of it are
//                settled by the judges, and ties go to the lowest feature.
// average gain   Quinlan's gain ratio (C4.5, section 2.2): among the features
//                whose gain is at least the average over all features that can
//                be split, the largest ratio of gain to split information.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/found.hpp"

namespace boxwood {

// Features whose value is within `reach` of the best; ascending. `found[i]` belongs to feature i.
inline void contenders(std::span<const Found> found, double reach, std::vector<std::size_t>& out, double& best) {
    best = -std::numeric_limits<double>::infinity();
    for (const Found& f : found) best = std::max(best, f.value);
    out.clear();
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].feasible && found[i].value >= best - reach) out.push_back(i);
    }
}

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
