// A division of the values of a table into left and right, and what it is worth.
//
// Searches move one value after the other: worth() tells how good the division
// is now (more is better, in a scale of its own), worth_after(v) how good it would
// be with value v on the other side. Gini and entropy answer in O(classes of v),
//     Gini     S_L / w_L + S_R / w_R,  S = sum_k c_k^2: moving a row r changes S_L by 2 L.r + r.r, and R = T - L
//     entropy  sum_k f(c_k) - f(w) of both sides, f(c) = c log2 c, kept by class
// other criteria in O(classes), by the judge. Counts are exact; the sums carry
// rounding errors, so what a search has found is weighed by the judge at last.
// A division with an empty side is worth minus infinity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/values.hpp"
#include "search/found.hpp"

namespace boxwood {

// Does a minimum leaf size allow a division, with the rows without a value on one side or the other?
struct Room {
    Minimum minimum;
    std::int64_t known_rows = 0, missing_rows = 0;
    double known = 0, missing = 0;  // weights
    bool own = false;               // missing rows have a branch of their own

    bool binds() const { return minimum.rows > 1 || minimum.weight > 0; }
    bool allows(std::int64_t rows, double weight) const {
        const std::int64_t right_rows = known_rows - rows;
        const double right = known - weight;
        const std::int64_t more_rows = own ? 0 : missing_rows;
        const double more = own ? 0.0 : missing;
        return (minimum.allows(rows, weight) && minimum.allows(right_rows + more_rows, right + more)) ||
               (minimum.allows(rows + more_rows, weight + more) && minimum.allows(right_rows, right));
    }
};

class Division {
  public:
    Division(const ValueTable& table, const Measure& measure);

    void clear();  // all values right
    void set(std::span<const std::uint8_t> branch);
    void flip(std::size_t v);
    bool left(std::size_t v) const { return branch_[v] == 0; }
    // 0 for left, 1 for right.
    const std::vector<std::uint8_t>& branch() const { return branch_; }

    double worth() const;
    double worth_after(std::size_t v) const;
    // Differences below this are rounding.
    double slack() const { return slack_; }
    double left_weight() const { return left_weight_; }
    std::int64_t left_rows() const { return left_rows_; }
    std::size_t n_left() const { return n_left_; }
    const ValueTable& table() const { return table_; }
    bool is_gini() const { return form_ == Form::kGini; }

  private:
    enum class Form : std::uint8_t { kGini, kEntropy, kJudged };
    double dot(std::span<const double> side, std::size_t v) const;
    double judged() const;

    const ValueTable& table_;
    Measure measure_;
    Form form_;
    std::vector<std::uint8_t> branch_;
    std::vector<double> left_, right_;
    double left_weight_ = 0, right_weight_ = 0;
    std::int64_t left_rows_ = 0;
    std::size_t n_left_ = 0;
    double slack_ = 0;
    // Gini: the sums of squares; entropy: the sums of f.
    double left_sum_ = 0, right_sum_ = 0;
    std::vector<double> square_;            // Gini, by value: r.r
    std::vector<double> left_f_, right_f_;  // entropy, by class
    mutable std::vector<double> try_left_, try_right_;
};

// The best prefix of an order that the room allows: its length, 0 if there is none, and its worth.
struct Prefix {
    std::size_t length = 0;
    double worth = 0;
};
Prefix best_prefix(Division& division, std::span<const std::uint32_t> order, const Room& room);

// Branch 0 for the first `length` values of the order.
std::vector<std::uint8_t> branches_of(std::span<const std::uint32_t> order, std::size_t length);

}  // namespace boxwood
