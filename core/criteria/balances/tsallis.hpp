// Tsallis: sums of c^q on either side, times w^(1-q) / (q - 1); for q = 1, sums of c ln c.
//
// With unit weights the powers come from tables. The right sum falls from n^q to
// nothing, and what rounding left in it weighs the more the smaller it is: it is
// summed anew whenever its weight has halved, and every 1024 moves.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "criteria/balance.hpp"

namespace boxwood {

// The powers of counts, looked up (unit weights) or computed.
class TablePowers {
  public:
    TablePowers(const CountTables& tables, double) : powers_(tables.powers()), scales_(tables.scales()) {}
    double power(double c) const { return powers_[static_cast<std::size_t>(c)]; }
    double scale(double w) const { return scales_[static_cast<std::size_t>(w)]; }

  private:
    const double* powers_;
    const double* scales_;
};

class ComputedPowers {
  public:
    ComputedPowers(const CountTables&, double q) : q_(q) {}
    double power(double c) const {
        if (!(c > 0)) return 0;
        return q_ == 1 ? c * std::log(c) : std::pow(c, q_);
    }
    double scale(double w) const { return std::pow(w, 1 - q_) / (q_ - 1); }

  private:
    double q_;
};

template <class Powers>
class TsallisBalance {
  public:
    TsallisBalance(const CountTables& tables, double q) : powers_(tables, q), q_(q) {}

    // Can the sums be trusted for this many rows (or this weight)? Powers may be too large, and near q = 1 the sums are
    // much larger than what they differ by.
    static bool serves(double q, double weight) {
        return q == 1 || (std::fabs(q - 1) > kNearShannon && (q + 2) * std::fabs(std::log2(weight + 2)) < 300);
    }

    void start(const Sides& sides) {
        const std::size_t n = sides.total.size();
        counts_.resize(2 * n);
        terms_.resize(2 * n);
        left_ = right_ = left_sum_ = 0;
        for (std::size_t k = 0; k < n; ++k) {
            counts_[2 * k] = sides.left[k];
            counts_[2 * k + 1] = sides.total[k] - sides.left[k];
            for (std::size_t side = 0; side < 2; ++side) {
                terms_[2 * k + side] = powers_.power(counts_[2 * k + side]);
            }
            left_ += counts_[2 * k];
            right_ += counts_[2 * k + 1];
            left_sum_ += terms_[2 * k];
        }
        sum_right();
    }
    void move(std::size_t k, double w) {
        const double l = counts_[2 * k] += w, r = counts_[2 * k + 1] -= w;
        const double left = powers_.power(l), right = powers_.power(r);
        left_sum_ += left - terms_[2 * k];
        right_sum_ += right - terms_[2 * k + 1];
        terms_[2 * k] = left;
        terms_[2 * k + 1] = right;
        left_ += w;
        right_ -= w;
        if (++moves_ >= kOften || 2 * right_ < checked_) sum_right();
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() const {
        if (q_ == 1) return left_sum_ + right_sum_ - powers_.power(left_) - powers_.power(right_);
        return side(left_sum_, left_) + side(right_sum_, right_);
    }
    bool reaches(double limit) const { return worth() >= limit; }
    static double error(double q, double weight, double rows) {
        if (q == 1) return kRounding * (8 * rows + 32) * weight * (64 + std::fabs(std::log(weight)));
        return kRounding * (8 * rows + 64) * weight * std::exp2(q) / std::fabs(q - 1);
    }

  private:
    static constexpr int kOften = 1024;
    double side(double sum, double w) const { return w > 0 ? sum * powers_.scale(w) : 0.0; }
    void sum_right() {
        right_sum_ = 0;
        for (std::size_t i = 1; i < terms_.size(); i += 2) right_sum_ += terms_[i];
        checked_ = right_;
        moves_ = 0;
    }
    Powers powers_;
    double q_;
    std::vector<double> counts_, terms_;  // left, right of class 0, left, right of class 1, ...; and their powers
    double left_ = 0, right_ = 0, left_sum_ = 0, right_sum_ = 0, checked_ = 0;
    int moves_ = 0;
};

using TsallisUnit = TsallisBalance<TablePowers>;
using TsallisWeighted = TsallisBalance<ComputedPowers>;

}  // namespace boxwood
