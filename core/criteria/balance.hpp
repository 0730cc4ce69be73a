// Running worth of a two-sided split while rows move from right to left.
//
// A Balance starts with all rows right (or some left already) and answers after
// each move what the split is worth: P(left) + P(right), see criterion.hpp, or
// w times its score. One class per criterion (balances/), searches are written
// once, over any of them:
//     start(sides)         the counts at the start
//     move(k, w)           a row of class k and weight w goes from right to left
//     move_many(k, w)      rows of class k and weight w together do
//     worth()              what the split is worth now
//     reaches(limit)       worth() >= limit, where that is cheaper (Gini: without dividing)
//     error(w, rows)       a bound on the rounding error of worth()
// Where the formula allows it a move takes O(1), whatever the number of classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "criteria/criterion.hpp"
#include "data/buffer.hpp"
#include "threads/team.hpp"

namespace boxwood {

struct Sides {
    std::span<const double> left, total;  // class counts: left at the start; of both sides together
    std::span<const double> aside;        // of a third branch that no row leaves or enters; empty: there is none
};

inline constexpr double kRounding = 2.3e-16;  // a little above half an ulp of 1, twice

// Functions of c = 0 .. n, shared by all nodes of a growth with unit weights.
class CountTables {
  public:
    CountTables() = default;
    CountTables(std::size_t n, const Measure& measure, Team& team) {
        const double q = measure.q;
        if (measure.uses_entropy()) {
            fill(logs_, n, team, [](double c) { return c * std::log2(c); });
        } else if (measure.kind == Criterion::kTsallis && q == 1) {
            fill(powers_, n, team, [](double c) { return c * std::log(c); });
        } else if (measure.kind == Criterion::kTsallis) {
            fill(powers_, n, team, [q](double c) { return power(c, q); });
            fill(scales_, n, team, [this, q](double c) {
                const double power = powers_[static_cast<std::size_t>(c)];
                return std::isfinite(power) && power > 0 ? c / power / (q - 1) : std::pow(c, 1 - q) / (q - 1);
            });
        }
        if (measure.kind == Criterion::kTsallis) {
            fill(steps_, n, team, [this](double c) {
                const auto at = static_cast<std::size_t>(c);
                return powers_[at] - powers_[at - 1];
            });
        }
    }
    const double* logs() const { return logs_.data(); }      // c log2 c
    const double* powers() const { return powers_.data(); }  // c^q; c ln c for q = 1
    const double* scales() const { return scales_.data(); }  // c^(1-q) / (q - 1)
    const double* steps() const { return steps_.data(); }    // of powers(), from c - 1 to c

  private:
    // c^q; halves of whole numbers take no logarithm.
    static double power(double c, double q) {
        if (q > 4 || 2 * q != std::floor(2 * q)) return std::pow(c, q);
        double out = q == std::floor(q) ? 1.0 : std::sqrt(c);
        for (int i = 0; i < static_cast<int>(q); ++i) out *= c;
        return out;
    }
    template <class Function>
    static void fill(Buffer<double>& values, std::size_t n, Team& team, Function function) {
        constexpr std::size_t kPiece = 16'384;
        values.resize(n + 1);
        team.each(n / kPiece + 1, [&](std::size_t piece, std::size_t) {
            const std::size_t first = piece * kPiece, end = std::min(n + 1, first + kPiece);
            for (std::size_t c = first; c < end; ++c) values[c] = c == 0 ? 0.0 : function(static_cast<double>(c));
        });
    }
    Buffer<double> logs_, powers_, scales_, steps_;
};

}  // namespace boxwood
