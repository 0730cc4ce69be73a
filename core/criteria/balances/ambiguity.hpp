// Ambiguity: the counts of each side kept in descending order.
//
// With sorted counts c_1 >= c_2 >= ..., w I = w / c_1 sum_i c_i ln(i / (i - 1)).
// A move changes one count, which then wanders past its neighbours (with unit
// weights it never has to); the sum follows each step. Sums are made anew every 1024 moves, against rounding. Where
// many rows move from cut to cut, AmbiguityPerCut is quicker.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "criteria/balance.hpp"

namespace boxwood {

// ln(i / (i - 1)) for the places i = 1 .. n, and 0 for the first.
inline void lay_ambiguity_factors(std::size_t n, std::vector<double>& factors) {
    if (factors.size() == n) return;
    factors.assign(n, 0.0);
    for (std::size_t i = 1; i < n; ++i) {
        factors[i] = std::log(static_cast<double>(i + 1)) - std::log(static_cast<double>(i));
    }
}

class AmbiguityBalance {
  public:
    explicit AmbiguityBalance(const CountTables&) {}
    void start(const Sides& sides) {
        const std::size_t n = sides.total.size();
        lay_ambiguity_factors(n, factor_);
        left_.start(n, [&](std::size_t k) { return sides.left[k]; });
        right_.start(n, [&](std::size_t k) { return sides.total[k] - sides.left[k]; });
        left_.sum_up(factor_);
        right_.sum_up(factor_);
        moves_ = 0;
    }
    void move(std::size_t k, double w) {
        left_.add(k, w, factor_);
        right_.add(k, -w, factor_);
        if (++moves_ < kOften) return;
        moves_ = 0;
        left_.sum_up(factor_);
        right_.sum_up(factor_);
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() const { return -left_.ambiguity() - right_.ambiguity(); }
    bool reaches(double limit) const { return worth() >= limit; }
    static double error(std::size_t n_classes, double weight, double rows) {
        const auto n = static_cast<double>(n_classes + 2);
        return kRounding * (8 * std::min(rows, double{kOften}) + 8 * n) * weight * n;
    }

  private:
    static constexpr int kOften = 1024;
    struct Side {
        std::vector<double> count;           // descending
        std::vector<std::size_t> place, at;  // of a class; the class at a place
        double weight = 0, sum = 0;

        template <class Count>
        void start(std::size_t n, Count count_of) {
            at.resize(n);
            place.resize(n);
            count.resize(n);
            std::iota(at.begin(), at.end(), std::size_t{0});
            std::sort(at.begin(), at.end(), [&](std::size_t a, std::size_t b) { return count_of(a) > count_of(b); });
            weight = 0;
            for (std::size_t i = 0; i < n; ++i) {
                place[at[i]] = i;
                count[i] = count_of(at[i]);
                weight += count[i];
            }
        }
        void sum_up(const std::vector<double>& factor) {
            sum = 0;
            for (std::size_t i = 1; i < count.size(); ++i) sum += count[i] * factor[i];
        }
        void add(std::size_t k, double w, const std::vector<double>& factor) {
            std::size_t i = place[k];
            const double now = count[i] + w;
            // Of equal counts any may change: the one at the end that the change leads to.
            std::size_t end = i;
            if (w > 0) {
                while (end > 0 && count[end - 1] == count[i]) --end;
            } else {
                while (end + 1 < count.size() && count[end + 1] == count[i]) ++end;
            }
            std::swap(at[i], at[end]);
            place[at[i]] = i;
            i = end;
            sum -= count[i] * factor[i];
            for (; i > 0 && count[i - 1] < now; --i) shift(i - 1, i, factor);
            for (; i + 1 < count.size() && count[i + 1] > now; ++i) shift(i + 1, i, factor);
            count[i] = now;
            at[i] = k;
            place[k] = i;
            sum += now * factor[i];
            weight += w;
        }
        void shift(std::size_t from, std::size_t to, const std::vector<double>& factor) {
            count[to] = count[from];
            at[to] = at[from];
            place[at[to]] = to;
            sum += count[to] * (factor[to] - factor[from]);
        }
        double ambiguity() const { return count[0] > 0 ? weight * (sum / count[0]) : 0.0; }
    };
    std::vector<double> factor_;
    Side left_, right_;
    int moves_ = 0;
};

// The places of counts in descending order; of equal ones the first comes first.
void place_counts(const double* counts, std::size_t n, std::int32_t* places);

// The same, for columns of few values: each cut from the counts, and only where it may reach what is asked for.
//
// Factors fall from the second place on, so no way to give these places to the classes but the largest has a larger
// sum than the descending one: that of an earlier cut, say. The sum with those factors takes no sorting, and mostly
// tells that a cut is no better than the best one.
class AmbiguityPerCut {
  public:
    static constexpr std::size_t kMostClasses = 64;  // each is compared with each: with more, moves are cheaper
    explicit AmbiguityPerCut(const CountTables&) {}
    void start(const Sides& sides);
    void move(std::size_t k, double w) {
        left_.count[at_[k]] += w;
        known_ = false;
    }
    void move_many(std::size_t k, double w) { move(k, w); }
    double worth() {
        if (!known_) {
            settle();
            worth_ = -left_.ambiguity(factor_, places_) - right_.ambiguity(factor_, places_);
            known_ = true;
        }
        return worth_;
    }
    bool reaches(double limit) { return bound() + kSure * weight_ >= limit && worth() >= limit; }

  private:
    static constexpr double kSure = 1e-11;  // rounding is far below
    struct Side {
        std::vector<double> count;
        std::vector<double> factor;  // of each class, at the last cut that was sorted
        std::size_t largest = 0;     // the class without one
        double weight = 0;

        double ambiguity(const std::vector<double>& factors, std::vector<std::int32_t>& places);
    };
    double bound() const;  // worth() is at most this
    // What is on the left, and what is not. (Moves add to one count only, so that none waits for the one before it.)
    void settle() {
        left_.weight = 0;
        for (std::size_t i = 0; i < total_.size(); ++i) {
            left_.weight += left_.count[i];
            right_.count[i] = total_[i] - left_.count[i];
        }
        right_.weight = weight_ - left_.weight;
    }
    std::vector<double> total_, before_;  // of this node; of the one before it
    double weight_ = 0, worth_ = 0;
    bool known_ = false;  // worth_ is that of the cut where the rows stand
    std::vector<double> factor_;
    std::vector<std::uint32_t> at_;  // of a class among those present
    std::vector<std::int32_t> places_;
    Side left_, right_, node_;
};

}  // namespace boxwood
