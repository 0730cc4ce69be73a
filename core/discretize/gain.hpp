// The gain of a cut in whole numbers, while a walk moves runs from right to left.
//
// Cutting an interval of weight p into l and r, in a column whose rows weigh W
// altogether, lowers the column's impurity by
//     (p I(P) - l I(L) - r I(R)) / W.
// A ranking compares millions of such gains, and equal ones must come out
// equal, or rounding would decide which threshold comes first. So they are
// whole numbers:
//   entropy  with g(c) = (c / W) log2(c / W), rounded to a multiple of 2^-55,
//            the gain is sum_k g(L_k) - g(l) + sum_k g(R_k) - g(r) - sum_k g(P_k)
//            + g(p). Sums of integers are exact in any order, so a running sum
//            equals the direct one, mirrored and relabelled intervals have one
//            and the same gain, and a table of g serves whole weights.
//   Gini     (sum L_k^2 / l + sum R_k^2 / r - sum P_k^2 / p) / W from exact sums
//            of squares, then rounded to a multiple of 2^-55. For weights that
//            are not whole the squares are summed anew at each cut, since a
//            running sum of them would drift.
// What is compared, and reported, is this number rounded once more, to a
// multiple of 2^(scale - 40), where 2^scale is the least power of two above the
// largest impurity: that swallows the rounding of g, and it is the house's rule
// that gains within about 1e-12 of the impurity tie.
//
// Each meter has: clear(); add(k, w) for all of the interval; ready(); then
// move(k, w) and fine(), the gain in units of 2^-55. And bound(): no cut of an
// interval with class weights `node` whose left side lies between `low` and
// `high`, class by class, has a larger fine gain. It costs O(classes):
//   entropy  with h_k(x) = g(x) + g(P_k - x) and h(x) = g(x) + g(p - x), all
//            convex, the gain is sum_k h_k(L_k) - h(l) up to a constant, and any
//            multiple of sum_k L_k - l = 0 may be taken off. With the multiple
//            h'(l0), l0 in the middle of the range, the h_k are largest at an
//            end of their range, and h is smallest at l0.
//   Gini     the gain is sum_k D_k^2 / (l r p W) with D_k = L_k p - P_k l; each
//            D_k is largest or smallest where class k is all there and the
//            others are not yet, or the reverse; l r is smallest at an end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace boxwood::discretize {

inline constexpr int kFineBits = 55;
inline constexpr int kGridBits = 40;

inline std::int64_t to_fine(double gain) {
    return static_cast<std::int64_t>(gain * 0x1p55 + (gain < 0 ? -0.5 : 0.5));
}

inline std::int64_t entropy_term(double c, double total) {
    if (c <= 0) return 0;
    const double p = c / total;
    return to_fine(p * std::log2(p));
}

// Rounds fine gains to the grid that they are compared on.
class Grid40 {
  public:
    explicit Grid40(int scale) : shift_(kFineBits - kGridBits + scale), half_(std::int64_t{1} << (shift_ - 1)) {}
    std::int64_t key(std::int64_t fine) const { return (std::max<std::int64_t>(fine, 0) + half_) >> shift_; }
    // The least fine gain whose key is larger than this one.
    std::int64_t above(std::int64_t key) const { return ((key + 1) << shift_) - half_; }
    double gain(std::int64_t key) const { return std::ldexp(static_cast<double>(key), shift_ - kFineBits); }

  private:
    int shift_;
    std::int64_t half_;
};

// Weight by class on both sides, cleared at the price of the classes that were there.
template <class Number>
class Sides {
  public:
    explicit Sides(std::size_t n_classes) : left(n_classes, Number{}), right(n_classes, Number{}) {}
    void clear() {
        for (const std::uint32_t k : seen) left[k] = right[k] = Number{};
        seen.clear();
        left_weight = right_weight = Number{};
    }
    void add(std::uint32_t k, Number w) {
        if (right[k] == Number{}) seen.push_back(k);
        right[k] += w;
        right_weight += w;
    }
    void move(std::uint32_t k, Number w) {
        left[k] += w;
        right[k] -= w;
        left_weight += w;
        right_weight -= w;
    }

    std::vector<Number> left, right;
    std::vector<std::uint32_t> seen;
    Number left_weight{}, right_weight{};
};

using Counts = std::span<const double>;

// What the arithmetic of a bound can lose, generously: it is done in float64.
inline double bound_margin(std::size_t n_classes) {
    return 0x1p11 * static_cast<double>(n_classes + 8);
}

template <class Term>
double entropy_bound(Counts node, Counts low, Counts high, double total, const Term& g) {
    double p = 0, first = 0, last = 0;
    for (std::size_t k = 0; k < node.size(); ++k) {
        p += node[k];
        first += low[k];
        last += high[k];
    }
    const double middle = std::floor((first + last) / 2);  // in the table, if there is one
    if (middle <= 0 || middle >= p) return std::numeric_limits<double>::infinity();
    const double slope = std::log2(middle / (p - middle)) / total * 0x1p55;
    double sum = g(p) - (g(middle) + g(p - middle) - slope * middle);
    for (std::size_t k = 0; k < node.size(); ++k) {
        const double at_low = g(low[k]) + g(node[k] - low[k]) - slope * low[k];
        const double at_high = g(high[k]) + g(node[k] - high[k]) - slope * high[k];
        sum += std::max(at_low, at_high) - g(node[k]);
    }
    return sum + bound_margin(node.size());
}

inline double gini_bound(Counts node, Counts low, Counts high, double total) {
    double p = 0, first = 0, last = 0;
    for (std::size_t k = 0; k < node.size(); ++k) {
        p += node[k];
        first += low[k];
        last += high[k];
    }
    const double product = std::min(first * (p - first), last * (p - last));
    if (product <= 0) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t k = 0; k < node.size(); ++k) {
        const double most = high[k] * (p - node[k]) - node[k] * (first - low[k]);
        const double least = low[k] * (p - node[k]) - node[k] * (last - high[k]);
        sum += std::max(most * most, least * least);
    }
    return sum / product / p / total * 0x1p55 * (1 + 1e-12) + bound_margin(node.size());
}

// g for whole c = 0 .. W. A column of few values needs few of them, so each is computed when it is first asked for.
// Threads may ask at once: whoever computes an entry computes the same.
class EntropyTerms {
  public:
    EntropyTerms() = default;
    explicit EntropyTerms(double total) : total_(total), terms_(static_cast<std::size_t>(total) + 1) {}
    std::int64_t at(std::size_t c) const {
        const std::int64_t known = terms_[c].load(std::memory_order_relaxed);
        return known != 0 ? known : fresh(c);  // g is 0 at both ends, and these are computed again
    }

  private:
    std::int64_t fresh(std::size_t c) const {
        const std::int64_t term = entropy_term(static_cast<double>(c), total_);
        terms_[c].store(term, std::memory_order_relaxed);
        return term;
    }
    double total_ = 0;
    mutable std::vector<std::atomic<std::int64_t>> terms_;
};

// Whole weights: g comes from a table.
class EntropyByTable {
  public:
    using Number = std::int64_t;
    EntropyByTable(std::size_t n_classes, double total, const EntropyTerms& table)
        : sides_(n_classes), total_(total), g_(table) {}
    void clear() { sides_.clear(); }
    void add(std::uint32_t k, double w) { sides_.add(k, static_cast<Number>(w)); }
    void ready() {
        sum_ = 0;
        for (const std::uint32_t k : sides_.seen) sum_ += at(sides_.right[k]);
        node_ = sum_ - at(sides_.right_weight);
    }
    void move(std::uint32_t k, double weight) {
        const auto w = static_cast<Number>(weight);
        const Number l = sides_.left[k], r = sides_.right[k];
        sum_ += (at(l + w) - at(l)) + (at(r - w) - at(r));
        sides_.move(k, w);
    }
    std::int64_t fine() const { return sum_ - at(sides_.left_weight) - at(sides_.right_weight) - node_; }
    double bound(Counts node, Counts low, Counts high) const {
        const auto g = [&](double c) { return static_cast<double>(at(static_cast<Number>(c))); };
        return entropy_bound(node, low, high, total_, g);
    }

  private:
    std::int64_t at(Number c) const { return g_.at(static_cast<std::size_t>(c)); }
    Sides<Number> sides_;
    double total_;
    const EntropyTerms& g_;
    std::int64_t sum_ = 0, node_ = 0;
};

class EntropyByFormula {
  public:
    EntropyByFormula(std::size_t n_classes, double total) : sides_(n_classes), terms_(2 * n_classes), total_(total) {}
    void clear() { sides_.clear(); }
    void add(std::uint32_t k, double w) { sides_.add(k, w); }
    void ready() {
        sum_ = 0;
        for (const std::uint32_t k : sides_.seen) {
            terms_[2 * k] = 0;
            sum_ += terms_[2 * k + 1] = entropy_term(sides_.right[k], total_);
        }
        node_ = sum_ - entropy_term(sides_.right_weight, total_);
    }
    void move(std::uint32_t k, double w) {
        sides_.move(k, w);
        const std::int64_t l = entropy_term(sides_.left[k], total_), r = entropy_term(sides_.right[k], total_);
        sum_ += (l - terms_[2 * k]) + (r - terms_[2 * k + 1]);
        terms_[2 * k] = l;
        terms_[2 * k + 1] = r;
    }
    std::int64_t fine() const {
        return sum_ - entropy_term(sides_.left_weight, total_) - entropy_term(sides_.right_weight, total_) - node_;
    }
    double bound(Counts node, Counts low, Counts high) const {
        const auto g = [&](double c) { return static_cast<double>(entropy_term(c, total_)); };
        return entropy_bound(node, low, high, total_, g);
    }

  private:
    Sides<double> sides_;
    std::vector<std::int64_t> terms_;  // g of left and right, class by class
    double total_;
    std::int64_t sum_ = 0, node_ = 0;
};

// Whole weights with W < 2^31: sums of squares are exact integers.
class GiniWhole {
  public:
    using Number = std::int64_t;
    GiniWhole(std::size_t n_classes, double total) : sides_(n_classes), total_(total) {}
    void clear() { sides_.clear(); }
    void add(std::uint32_t k, double w) { sides_.add(k, static_cast<Number>(w)); }
    void ready() {
        left_ = right_ = 0;
        for (const std::uint32_t k : sides_.seen) right_ += sides_.right[k] * sides_.right[k];
        node_ = static_cast<double>(right_) / static_cast<double>(sides_.right_weight);
    }
    void move(std::uint32_t k, double weight) {
        const auto w = static_cast<Number>(weight);
        left_ += w * (2 * sides_.left[k] + w);
        right_ -= w * (2 * sides_.right[k] - w);
        sides_.move(k, w);
    }
    std::int64_t fine() const {
        const auto l = static_cast<double>(sides_.left_weight), r = static_cast<double>(sides_.right_weight);
        return to_fine((static_cast<double>(left_) / l + static_cast<double>(right_) / r - node_) / total_);
    }
    double bound(Counts node, Counts low, Counts high) const { return gini_bound(node, low, high, total_); }

  private:
    Sides<Number> sides_;
    double total_, node_ = 0;
    std::int64_t left_ = 0, right_ = 0;
};

class GiniByFormula {
  public:
    GiniByFormula(std::size_t n_classes, double total) : sides_(n_classes), total_(total) {}
    void clear() { sides_.clear(); }
    void add(std::uint32_t k, double w) { sides_.add(k, w); }
    void ready() {
        std::sort(sides_.seen.begin(), sides_.seen.end());  // squares are added in the order of the classes
        node_weight_ = sides_.right_weight;
    }
    void move(std::uint32_t k, double w) { sides_.move(k, w); }
    std::int64_t fine() const {
        // sum_k (L_k p - P_k l)^2 / (l r p W): no cancellation between the two sides.
        const double l = sides_.left_weight / node_weight_, r = sides_.right_weight / node_weight_;
        double sum = 0;
        for (const std::uint32_t k : sides_.seen) {
            const double d = sides_.left[k] / node_weight_ * r - sides_.right[k] / node_weight_ * l;
            sum += d * d;
        }
        return to_fine(sum / (l * r) * (node_weight_ / total_));
    }
    double bound(Counts node, Counts low, Counts high) const { return gini_bound(node, low, high, total_); }

  private:
    Sides<double> sides_;
    double total_, node_weight_ = 0;
};

}  // namespace boxwood::discretize
