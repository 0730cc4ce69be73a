// Error: the largest class of each side.
//
// The left maximum only grows. The right one falls with its class, and is looked
// for anew only when it has come down to what the second largest class was when
// it was last looked for: the others cannot have grown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "criteria/balance.hpp"

namespace boxwood {

class ErrorBalance {
  public:
    explicit ErrorBalance(const CountTables&) {}
    void start(const Sides& sides) {
        left_.assign(sides.left.begin(), sides.left.end());
        right_.resize(sides.total.size());
        for (std::size_t k = 0; k < right_.size(); ++k) right_[k] = sides.total[k] - left_[k];
        most_left_ = left_.empty() ? 0.0 : *std::max_element(left_.begin(), left_.end());
        look_right();
    }
    void move(std::size_t k, double w) {
        most_left_ = std::max(most_left_, left_[k] += w);
        right_[k] -= w;
        if (k == largest_ && right_[k] < second_) look_right();
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() const { return most_left_ + right_[largest_]; }
    bool reaches(double limit) const { return worth() >= limit; }
    static double error(double weight, double) { return 8 * kRounding * weight; }

  private:
    void look_right() {
        largest_ = 0;
        second_ = 0;
        for (std::size_t k = 1; k < right_.size(); ++k) {
            if (right_[k] > right_[largest_]) {
                second_ = right_[largest_];
                largest_ = k;
            } else {
                second_ = std::max(second_, right_[k]);
            }
        }
    }
    std::vector<double> left_, right_;
    double most_left_ = 0, second_ = 0;
    std::size_t largest_ = 0;
};

}  // namespace boxwood
