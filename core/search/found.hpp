// What a search over one feature reports to the selection.
//
// Searches compare candidates by a running value that carries a known rounding
// error. The selection only needs to know the best value, and whether another
// candidate came so near that the judges (criterion.hpp) have to look.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace boxwood {

enum class Side : std::uint8_t { kNone, kRight, kLeft, kOwn };  // where missing rows go

struct Found {
    double value = -std::numeric_limits<double>::infinity();  // w * gain, to within the slack
    std::uint32_t at = 0;  // the cut: known rows (sequences) or groups (tables) on its left
    Side missing = Side::kNone;
    bool is_missing_test = false;  // the candidate is "missing against the rest"
    bool tie = false;              // another candidate is within the slack
    bool uneven = false;           // and its value is not the very same
    // Weights on the left of the candidates within the slack, where a search of two branches tells them; 0: not known.
    double least_left = 0, most_left = 0;
    bool feasible = false;         // some cut satisfies the leaf minima
    bool constant = false;         // all rows have the same value, here and below
    std::int64_t n_cuts = 0;       // between neighbouring values of a numeric feature
    std::int64_t n_evaluated = 0;  // those that were weighed

    void offer(double candidate, double slack, std::uint32_t cut, Side side, double left_weight = 0) {
        feasible = true;
        if (candidate > value + slack) {
            value = candidate;
            at = cut;
            missing = side;
            is_missing_test = false;
            tie = uneven = false;
            least_left = most_left = left_weight;
        } else if (candidate >= value - slack) {
            tie = true;
            uneven |= candidate != value;
            value = std::max(value, candidate);
            least_left = std::min(least_left, left_weight);
            most_left = std::max(most_left, left_weight);
        }
    }
    void offer_missing_test(double candidate, double slack) {
        const double before = value;
        offer(candidate, slack, 0, Side::kNone);
        if (candidate > before + slack) is_missing_test = true;
    }
    // Is the candidate the first of the best, so that no judge need look for it? The ways to place missing rows are
    // searched one after the other, the judges' order is by cut.
    bool settled() const { return !tie || (!uneven && missing == Side::kNone && !is_missing_test); }
};

// The smallest branch allowed.
struct Minimum {
    std::int64_t rows = 1;
    double weight = 0;
    bool allows(std::int64_t branch_rows, double branch_weight) const {
        return branch_rows >= rows && branch_weight >= weight;
    }
};

}  // namespace boxwood
