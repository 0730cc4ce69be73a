// Tsallis: sums of c^q on either side, times w^(1-q) / (q - 1); for q = 1, sums of c ln c.
//
// With unit weights the powers come from tables. The right sum falls from n^q to
// nothing, and what rounding left in it weighs the more the smaller it is: it is
// summed anew whenever its weight has halved, and every 1024 moves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "criteria/balance.hpp"

namespace boxwood {

// Can sums of powers be trusted for this weight? They may be too large, and near q = 1 they are much larger than what
// they differ by.
inline bool tsallis_sums_serve(double q, double weight) {
    return q == 1 || (std::fabs(q - 1) > kNearShannon && (q + 2) * std::fabs(std::log2(weight + 2)) < 300);
}

inline double tsallis_error(double q, double weight, double rows) {
    if (q == 1) return kRounding * (8 * rows + 32) * weight * (64 + std::fabs(std::log(weight)));
    return kRounding * (8 * std::min(rows, 1024.0) + 64) * weight * std::exp2(q) / std::fabs(q - 1);
}

class TsallisUnit {
  public:
    TsallisUnit(const CountTables& tables, double q)
        : power_(tables.powers()), scale_(tables.scales()), step_(tables.steps()), q_(q) {}
    void start(const Sides& sides) {
        const std::size_t n = sides.total.size();
        counts_.resize(2 * n);
        left_ = right_ = 0;
        left_sum_ = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const auto l = static_cast<std::int64_t>(sides.left[k]), r = static_cast<std::int64_t>(sides.total[k]) - l;
            counts_[2 * k] = l;
            counts_[2 * k + 1] = r;
            left_sum_ += power_[l];
            left_ += l;
            right_ += r;
        }
        sum_right();
    }
    void move(std::size_t k, double) {
        left_sum_ += step_[++counts_[2 * k]];
        right_sum_ -= step_[counts_[2 * k + 1]--];
        ++left_;
        --right_;
        if (--until_ == 0) sum_right();
    }
    void move_many(std::size_t k, double n) {
        const auto d = static_cast<std::int64_t>(n);
        std::int64_t &l = counts_[2 * k], &r = counts_[2 * k + 1];
        left_sum_ += power_[l + d] - power_[l];
        right_sum_ -= power_[r] - power_[r - d];
        l += d;
        r -= d;
        left_ += d;
        right_ -= d;
        if (--until_ <= 0 || right_ < half_) sum_right();
    }
    double worth() const {
        if (q_ == 1) return left_sum_ + right_sum_ - power_[left_] - power_[right_];
        return left_sum_ * scale_[left_] + right_sum_ * scale_[right_];
    }
    bool reaches(double limit) const { return worth() >= limit; }

  private:
    void sum_right() {
        right_sum_ = 0;
        for (std::size_t i = 1; i < counts_.size(); i += 2) right_sum_ += power_[counts_[i]];
        half_ = right_ - right_ / 2;
        until_ = std::min<std::int64_t>(1024, right_ / 2 + 1);
    }
    const double* power_;
    const double* scale_;
    const double* step_;
    double q_;
    std::vector<std::int64_t> counts_;  // left, right of class 0, left, right of class 1, ...
    double left_sum_ = 0, right_sum_ = 0;
    std::int64_t left_ = 0, right_ = 0, until_ = 0, half_ = 0;
};

class TsallisWeighted {
  public:
    TsallisWeighted(const CountTables&, double q) : q_(q) {}
    void start(const Sides& sides) {
        const std::size_t n = sides.total.size();
        counts_.resize(2 * n);
        terms_.resize(2 * n);
        left_ = right_ = left_sum_ = 0;
        for (std::size_t k = 0; k < n; ++k) {
            counts_[2 * k] = sides.left[k];
            counts_[2 * k + 1] = sides.total[k] - sides.left[k];
            for (std::size_t i = 2 * k; i < 2 * k + 2; ++i) terms_[i] = power(counts_[i]);
            left_ += counts_[2 * k];
            right_ += counts_[2 * k + 1];
            left_sum_ += terms_[2 * k];
        }
        sum_right();
    }
    void move(std::size_t k, double w) {
        const double l = counts_[2 * k] += w, r = counts_[2 * k + 1] -= w;
        const double left = power(l), right = power(r);
        left_sum_ += left - terms_[2 * k];
        right_sum_ += right - terms_[2 * k + 1];
        terms_[2 * k] = left;
        terms_[2 * k + 1] = right;
        left_ += w;
        right_ -= w;
        if (++moves_ >= 1024 || 2 * right_ < checked_) sum_right();
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() const {
        if (q_ == 1) return left_sum_ + right_sum_ - power(left_) - power(right_);
        return side(left_sum_, left_) + side(right_sum_, right_);
    }
    bool reaches(double limit) const { return worth() >= limit; }

  private:
    double power(double c) const {
        if (!(c > 0)) return 0;
        return q_ == 1 ? c * std::log(c) : std::pow(c, q_);
    }
    double side(double sum, double w) const { return w > 0 ? sum * std::pow(w, 1 - q_) / (q_ - 1) : 0.0; }
    void sum_right() {
        right_sum_ = 0;
        for (std::size_t i = 1; i < terms_.size(); i += 2) right_sum_ += terms_[i];
        checked_ = right_;
        moves_ = 0;
    }
    double q_;
    std::vector<double> counts_, terms_;  // left, right of class 0, left, right of class 1, ...; and their powers
    double left_ = 0, right_ = 0, left_sum_ = 0, right_sum_ = 0, checked_ = 0;
    int moves_ = 0;
};

}  // namespace boxwood
