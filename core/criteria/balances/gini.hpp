// Gini: sums of squares of the counts. With unit weights they are integers, and exact.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "criteria/balance.hpp"

namespace boxwood {

class GiniUnit {
  public:
    explicit GiniUnit(const CountTables&) {}
    void start(const Sides& sides) {
        const auto left = sides.left, total = sides.total;
        counts_.resize(2 * total.size());
        left_squares_ = right_squares_ = left_ = right_ = 0;
        for (std::size_t k = 0; k < total.size(); ++k) {
            const auto l = static_cast<std::int64_t>(left[k]), r = static_cast<std::int64_t>(total[k]) - l;
            counts_[2 * k] = l;
            counts_[2 * k + 1] = r;
            left_squares_ += l * l;
            right_squares_ += r * r;
            left_ += l;
            right_ += r;
        }
    }
    void move(std::size_t k, double) {
        std::int64_t &l = counts_[2 * k], &r = counts_[2 * k + 1];
        left_squares_ += 2 * l + 1;
        right_squares_ -= 2 * r - 1;
        ++l;
        --r;
        ++left_;
        --right_;
    }
    void move_many(std::size_t k, double n) {
        const auto d = static_cast<std::int64_t>(n);
        std::int64_t &l = counts_[2 * k], &r = counts_[2 * k + 1];
        left_squares_ += d * (2 * l + d);
        right_squares_ -= d * (2 * r - d);
        l += d;
        r -= d;
        left_ += d;
        right_ -= d;
    }
    double worth() const {
        const auto l = static_cast<double>(left_), r = static_cast<double>(right_);
        return (static_cast<double>(left_squares_) * r + static_cast<double>(right_squares_) * l) / (l * r);
    }
    bool reaches(double limit) const {
        const auto l = static_cast<double>(left_), r = static_cast<double>(right_);
        return static_cast<double>(left_squares_) * r + static_cast<double>(right_squares_) * l >= limit * (l * r);
    }
    static double error(double weight, double) { return 16 * kRounding * weight; }

  private:
    std::vector<std::int64_t> counts_;  // left, right of class 0, left, right of class 1, ...
    std::int64_t left_squares_ = 0, right_squares_ = 0, left_ = 0, right_ = 0;
};

// Sums of squares of weights are not exact. The left sum grows from zero and keeps its relative
// precision; the right one would shrink to rounding noise, so it is summed anew when asked for.
class GiniWeighted {
  public:
    explicit GiniWeighted(const CountTables&) {}
    void start(const Sides& sides) {
        const auto left = sides.left, total = sides.total;
        left_counts_.assign(left.begin(), left.end());
        right_counts_.resize(total.size());
        left_squares_ = left_ = right_ = 0;
        for (std::size_t k = 0; k < total.size(); ++k) {
            right_counts_[k] = total[k] - left[k];
            left_squares_ += left[k] * left[k];
            left_ += left[k];
            right_ += right_counts_[k];
        }
    }
    void move(std::size_t k, double w) {
        left_squares_ += w * (2 * left_counts_[k] + w);
        left_counts_[k] += w;
        right_counts_[k] -= w;
        left_ += w;
        right_ -= w;
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() const { return product() / (left_ * right_); }
    bool reaches(double limit) const { return product() >= limit * (left_ * right_); }
    static double error(double weight, double rows) { return kRounding * (4 * rows + 16) * weight; }

  private:
    double product() const {
        double right_squares = 0;
        for (const double r : right_counts_) right_squares += r * r;
        return left_squares_ * right_ + right_squares * left_;
    }
    std::vector<double> left_counts_, right_counts_;
    double left_squares_ = 0, left_ = 0, right_ = 0;
};

}  // namespace boxwood
