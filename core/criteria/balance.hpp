// Running worth of a two-sided split while rows move from right to left.
//
// A Balance starts with all rows right (or some left already) and answers after
// each move, in O(1) whatever the number of classes, what the split is worth:
// P(left) + P(right), see criterion.hpp. One class per criterion and kind of
// weight; searches are written once, over any of them:
//     start(left, total)   left counts at the start, counts of both sides
//     move(k, w)           a row of class k and weight w goes from right to left
//     worth()              P(left) + P(right)
//     reaches(limit)       worth() >= limit, cheaper (Gini: without dividing)
//     error(w, rows)       a bound on the rounding error of worth()
// With unit weights Gini's sums are integers and exact; entropy looks c log2 c
// up in a table.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/buffer.hpp"
#include "threads/team.hpp"

namespace boxwood {

// c log2 c for c = 0 .. n, shared by all nodes of a growth with unit weights.
class LogTable {
  public:
    LogTable() = default;
    LogTable(std::size_t n, Team& team) : values_(n + 1) {
        constexpr std::size_t kPiece = 16'384;
        team.each(n / kPiece + 1, [&](std::size_t piece, std::size_t) {
            const std::size_t first = piece * kPiece, end = std::min(n + 1, first + kPiece);
            for (std::size_t c = first; c < end; ++c) {
                const auto count = static_cast<double>(c);
                values_[c] = c == 0 ? 0.0 : count * std::log2(count);
            }
        });
    }
    const double* data() const { return values_.data(); }

  private:
    Buffer<double> values_;
};

inline constexpr double kRounding = 2.3e-16;  // a little above half an ulp of 1, twice

class GiniUnit {
  public:
    explicit GiniUnit(const LogTable&) {}
    void start(std::span<const double> left, std::span<const double> total) {
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

class EntropyUnit {
  public:
    explicit EntropyUnit(const LogTable& table) : log_(table.data()) {}
    void start(std::span<const double> left, std::span<const double> total) {
        counts_.resize(2 * total.size());
        sum_ = 0;
        left_ = right_ = 0;
        for (std::size_t k = 0; k < total.size(); ++k) {
            const auto l = static_cast<std::int64_t>(left[k]), r = static_cast<std::int64_t>(total[k]) - l;
            counts_[2 * k] = l;
            counts_[2 * k + 1] = r;
            sum_ += log_[l] + log_[r];
            left_ += l;
            right_ += r;
        }
    }
    void move(std::size_t k, double) {
        std::int64_t &l = counts_[2 * k], &r = counts_[2 * k + 1];
        sum_ += (log_[l + 1] - log_[l]) - (log_[r] - log_[r - 1]);
        ++l;
        --r;
        ++left_;
        --right_;
    }
    void move_many(std::size_t k, double n) {
        const auto d = static_cast<std::int64_t>(n);
        std::int64_t &l = counts_[2 * k], &r = counts_[2 * k + 1];
        sum_ += (log_[l + d] - log_[l]) - (log_[r] - log_[r - d]);
        l += d;
        r -= d;
        left_ += d;
        right_ -= d;
    }
    double worth() const { return sum_ - log_[left_] - log_[right_]; }
    bool reaches(double limit) const { return worth() >= limit; }
    static double error(double weight, double rows) {
        return kRounding * (4 * rows + 16) * weight * std::log2(weight + 2);
    }

  private:
    const double* log_;
    std::vector<std::int64_t> counts_;
    double sum_ = 0;
    std::int64_t left_ = 0, right_ = 0;
};

// Sums of squares of weights are not exact. The left sum grows from zero and keeps its relative
// precision; the right one would shrink to rounding noise, so it is summed anew when asked for.
class GiniWeighted {
  public:
    explicit GiniWeighted(const LogTable&) {}
    void start(std::span<const double> left, std::span<const double> total) {
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

class EntropyWeighted {
  public:
    explicit EntropyWeighted(const LogTable&) {}
    void start(std::span<const double> left, std::span<const double> total) {
        counts_.resize(2 * total.size());
        logs_.resize(2 * total.size());
        sum_ = left_ = right_ = 0;
        for (std::size_t k = 0; k < total.size(); ++k) {
            const double l = left[k], r = total[k] - l;
            counts_[2 * k] = l;
            counts_[2 * k + 1] = r;
            logs_[2 * k] = times_log(l);
            logs_[2 * k + 1] = times_log(r);
            sum_ += logs_[2 * k] + logs_[2 * k + 1];
            left_ += l;
            right_ += r;
        }
    }
    void move(std::size_t k, double w) {
        const double l = counts_[2 * k] += w, r = counts_[2 * k + 1] -= w;
        const double log_l = times_log(l), log_r = times_log(r);
        sum_ += (log_l - logs_[2 * k]) + (log_r - logs_[2 * k + 1]);
        logs_[2 * k] = log_l;
        logs_[2 * k + 1] = log_r;
        left_ += w;
        right_ -= w;
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() const { return sum_ - times_log(left_) - times_log(right_); }
    bool reaches(double limit) const { return worth() >= limit; }
    static double error(double weight, double rows) {
        // Weights may lie far below 1, where c log2 c is negative and |log2 c| large.
        return kRounding * (8 * rows + 32) * weight * (64 + std::fabs(std::log2(weight)));
    }

  private:
    static double times_log(double c) { return c > 0 ? c * std::log2(c) : 0.0; }
    std::vector<double> counts_, logs_;
    double sum_ = 0, left_ = 0, right_ = 0;
};

}  // namespace boxwood
