// Entropy: sums of c log2 c, which unit weights look up in a table.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "criteria/balance.hpp"

namespace boxwood {

class EntropyUnit {
  public:
    explicit EntropyUnit(const CountTables& tables) : log_(tables.logs()) {}
    void start(const Sides& sides) {
        const auto left = sides.left, total = sides.total;
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

class EntropyWeighted {
  public:
    explicit EntropyWeighted(const CountTables&) {}
    void start(const Sides& sides) {
        const auto left = sides.left, total = sides.total;
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
