// Criteria that have no running form: every cut that is asked for is computed from the counts.
//
// Only the classes that are there take part. A Formula gives the worth from the
// left counts; its loops over the classes are compiled for several instruction
// sets (per_cut.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/balance.hpp"

namespace boxwood {

// The counts of the classes present, side by side.
struct PresentCounts {
    std::vector<double> left, total, aside;
    double left_weight = 0, weight = 0, aside_weight = 0;
    std::size_t n_classes = 0;  // of the whole problem
    std::vector<double> scratch;
};

// w times what the criterion says of (left, total - left, aside).
double sine_worth(PresentCounts& counts);
double twoing_worth(PresentCounts& counts);
double hellinger_worth(PresentCounts& counts);

template <double (*kWorth)(PresentCounts&)>
class PerCut {
  public:
    explicit PerCut(const CountTables&) {}
    void start(const Sides& sides) {
        place_.assign(sides.total.size(), 0);
        counts_.left.clear();
        counts_.total.clear();
        counts_.aside.clear();
        counts_.weight = counts_.aside_weight = 0;
        counts_.n_classes = sides.total.size();
        for (std::size_t k = 0; k < sides.total.size(); ++k) {
            const double aside = sides.aside.empty() ? 0.0 : sides.aside[k];
            if (!(sides.total[k] > 0 || aside > 0)) continue;
            place_[k] = static_cast<std::uint32_t>(counts_.left.size());
            counts_.left.push_back(sides.left[k]);
            counts_.total.push_back(sides.total[k]);
            if (!sides.aside.empty()) counts_.aside.push_back(aside);
            counts_.weight += sides.total[k];
            counts_.aside_weight += aside;
        }
    }
    // Moves add to one count only, so that none waits for the one before it.
    void move(std::size_t k, double w) { counts_.left[place_[k]] += w; }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() {
        counts_.left_weight = 0;
        for (const double count : counts_.left) counts_.left_weight += count;
        return kWorth(counts_);
    }
    bool reaches(double limit) { return worth() >= limit; }
    static double error(std::size_t n_classes, double weight) {
        return (64 + 8 * static_cast<double>(n_classes)) * kRounding * weight;
    }

  private:
    PresentCounts counts_;
    std::vector<std::uint32_t> place_;
};

using SineBalance = PerCut<sine_worth>;
using TwoingBalance = PerCut<twoing_worth>;
using HellingerBalance = PerCut<hellinger_worth>;

// Any measure, by its judge: slow, and right where nothing else serves.
class JudgedBalance {
  public:
    explicit JudgedBalance(const Measure& measure) : measure_(measure) {}
    void start(const Sides& sides) {
        left_.assign(sides.left.begin(), sides.left.end());
        total_.assign(sides.total.begin(), sides.total.end());
        right_.resize(total_.size());
        left_weight_ = weight_ = 0;
        for (std::size_t k = 0; k < total_.size(); ++k) {
            left_weight_ += left_[k];
            weight_ += total_[k];
        }
    }
    void move(std::size_t k, double w) {
        left_[k] += w;
        left_weight_ += w;
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() {
        for (std::size_t k = 0; k < total_.size(); ++k) right_[k] = total_[k] - left_[k];
        return boxwood::worth(measure_, left_, left_weight_) + boxwood::worth(measure_, right_, weight_ - left_weight_);
    }
    bool reaches(double limit) { return worth() >= limit; }
    static double error(double weight, double) { return 4096 * kRounding * weight; }

  private:
    Measure measure_;
    std::vector<double> left_, right_, total_;
    double left_weight_ = 0, weight_ = 0;
};

}  // namespace boxwood
