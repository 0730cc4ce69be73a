// The responses of a node as whole numbers.
//
// A search adds up responses, and the same rows may be added in many orders:
// by one column or another, row by row or value by value. So that every order
// gives the same sum to the last bit, as it does for weights, the responses of a
// node are rounded once, when the node is opened: w (y - centre) becomes a whole
// number of units. The centre is the node's mean (or median), so that a node far
// from zero keeps all its digits; the unit is a power of two, 2^-60 of a bound on
// sum w |y - centre| or a little less, so that every sum fits 64 bits. What that
// rounding removes is below n units for n rows, a part of n 2^-60 of the sum.
// Two splits into the same rows have the same gain to the last bit, whatever
// their columns; searches and judges see the same numbers.
//
// For absolute error the rows also have their places in the order of y, with the
// tree of all rows (medians.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "criteria/regression.hpp"
#include "data/buffer.hpp"
#include "grow/place.hpp"
#include "grow/regression/medians.hpp"
#include "grow/regression/scan.hpp"
#include "grow/sample.hpp"

namespace boxwood {

// A node as its searches see it.
struct RegressionFacts {
    std::size_t begin = 0, end = 0;
    std::span<const double> sums;  // by Moment
    double weight = 0, impurity = 0;
    std::uint64_t key = 0;
    Bounds bounds;
    double error = 0;  // of the searches' values
    double slack = 0;  // values nearer than this are settled by the judges

    std::int64_t rows() const { return static_cast<std::int64_t>(end - begin); }
    double answer() const { return sums[kAnswer]; }
    double spread() const { return sums[kRange]; }
    // Gains nearer than this are equal.
    double tolerance() const { return 1e-12 * impurity; }
};

// The unit that responses are rounded to, and what they are multiplied by for it.
struct Rounding {
    double unit = 1, scale = 1;
    // `most`: a bound of the sum of w |y - centre|.
    explicit Rounding(double most) {
        const int shift = most > 0 ? std::min(1000, 60 - std::ilogb(most)) : 1000;
        scale = std::ldexp(1.0, shift);
        unit = std::ldexp(1.0, -shift);
    }
};

// For squared error, where the impurity bounds the sum by Cauchy and Schwarz.
inline Rounding round_squares(double weight, double spread, double impurity) {
    const double widest = weight * spread;
    if (impurity < 1e-280) return Rounding(widest);  // squares may have vanished
    return Rounding(std::min(widest, 1.1 * weight * std::sqrt(impurity)));
}

template <class Index>
class Numbers {
  public:
    Numbers(const Sample<Index>& sample, Criterion criterion)
        : sample_(sample), criterion_(criterion), whole_(sample.n_rows) {
        if (criterion == Criterion::kAbsoluteError) place_.resize(sample.n_rows);
    }

    // Rounds the responses of a node.
    void open(const RegressionFacts& facts) {
        const double centre = facts.answer();
        const Rounding rounding = round(facts);
        const double scale = rounding.scale;
        unit_ = rounding.unit;
        centre_ = centre * scale;
        const double* y = sample_.response.data();
        std::int64_t total = 0;
        if (sample_.weight.empty()) {
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                const std::size_t row = sample_.rows[i];
                total += whole_[row] = static_cast<std::int64_t>((y[row] - centre) * scale);
            }
        } else {
            for (std::size_t i = facts.begin; i < facts.end; ++i) {
                const std::size_t row = sample_.rows[i];
                total += whole_[row] = static_cast<std::int64_t>((y[row] - centre) * sample_.weight[row] * scale);
            }
        }
        if (tagged(facts)) {
            total_grade_ = 0;
            for (std::size_t i = facts.begin; i < facts.end; ++i) total_grade_ += sample_.grade[sample_.rows[i]];
        }
        sides_ = {total, facts.weight, 0, 0, 0};
        sides_.centre = centre * scale + sides_.drift();
        if (criterion_ == Criterion::kSquaredError && sample_.weight.empty() && !sample_.sorted.empty() &&
            facts.end - facts.begin <= kFactors) {
            factors_.lay(facts.end - facts.begin, sides_.drift());
        }
        if (criterion_ == Criterion::kAbsoluteError) order(facts, scale);
        if (criterion_ == Criterion::kPoisson) {
            n_positive_ = std::count_if(sample_.rows.begin() + static_cast<std::ptrdiff_t>(facts.begin),
                                        sample_.rows.begin() + static_cast<std::ptrdiff_t>(facts.end),
                                        [&](Index row) { return y[row] > 0; });
        }
    }

    const std::int64_t* data() const { return whole_.data(); }
    std::int64_t operator[](std::size_t row) const { return whole_[row]; }
    double unit() const { return unit_; }
    double centre() const { return centre_; }  // in units
    std::int64_t total() const { return sides_.sum; }
    const TwoSides& sides() const { return sides_; }         // all rows, none of them on the left
    std::int64_t n_positive() const { return n_positive_; }  // for the Poisson deviance: rows with y > 0

    // Do tags tell enough of the responses of this node?
    bool tagged(const RegressionFacts& facts) const {
        return sample_.grades.step > 0 && facts.end - facts.begin > kFactors &&
               10 * sample_.grades.step < std::sqrt(facts.impurity);
    }
    std::int64_t total_grade() const { return total_grade_; }  // of the tags, then

    // For squared error and unit weights: of nodes with at most kFactors rows, whose factors stay in the cache.
    static constexpr std::size_t kFactors = 2048;
    const CutFactors& factors() const { return factors_; }

    // For absolute error.
    std::size_t place(std::size_t row) const { return place_[row]; }
    const MedianTree& all() const { return all_; }
    const std::vector<double>& by_place() const { return by_place_; }  // y - centre, in units
    const std::vector<std::int64_t>& whole_by_place() const { return whole_by_place_; }
    double response_at(std::size_t place) const { return sorted_[place].first; }

  private:
    Rounding round(const RegressionFacts& facts) const {
        if (criterion_ == Criterion::kPoisson) {
            const double widest = facts.weight * facts.spread();
            return Rounding(std::min(widest, 2.1 * facts.weight * facts.answer()));
        }
        if (criterion_ == Criterion::kAbsoluteError) return Rounding(1.1 * facts.weight * facts.impurity);
        return round_squares(facts.weight, facts.spread(), facts.impurity);
    }

    void order(const RegressionFacts& facts, double scale) {
        const std::size_t n = facts.end - facts.begin;
        sorted_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t row = sample_.rows[facts.begin + i];
            sorted_[i] = {sample_.response[row], static_cast<Index>(row)};
        }
        std::sort(sorted_.begin(), sorted_.end());
        by_place_.resize(n);
        whole_by_place_.resize(n);
        all_.clear(n);
        for (std::size_t i = 0; i < n; ++i) {
            const auto [y, row] = sorted_[i];
            place_[row] = static_cast<Index>(i);
            by_place_[i] = (y - facts.answer()) * scale;
            whole_by_place_[i] = whole_[row];
            all_.put(i, sample_.weight_of(row), whole_[row]);
        }
        all_.close();
    }

    const Sample<Index>& sample_;
    Criterion criterion_;
    double unit_ = 1, centre_ = 0;
    TwoSides sides_;
    std::int64_t n_positive_ = 0, total_grade_ = 0;
    Buffer<std::int64_t> whole_;  // by row
    std::vector<Index> place_;    // by row
    std::vector<std::pair<double, Index>> sorted_;
    std::vector<double> by_place_;
    std::vector<std::int64_t> whole_by_place_;
    MedianTree all_;
    CutFactors factors_;
};

}  // namespace boxwood
