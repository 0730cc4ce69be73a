#include "search/categorical/division.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace boxwood {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double f(double c) {
    return c > 0 ? c * std::log2(c) : 0.0;
}

}  // namespace

Division::Division(const ValueTable& table, const Measure& measure) : table_(table), measure_(measure) {
    form_ = measure.uses_entropy()                                                  ? Form::kEntropy
            : measure.kind == Criterion::kGini || measure.kind == Criterion::kGiven ? Form::kGini
                                                                                    : Form::kJudged;
    slack_ = 1e-12 * table.weight * impurity(measure, table.total, table.weight);
    if (form_ == Form::kJudged) slack_ = 1e-12;
    if (form_ == Form::kGini) {
        square_.resize(table.size());
        for (std::size_t v = 0; v < table.size(); ++v) {
            double sum = 0;
            for (std::size_t i = table.rows.start[v]; i < table.rows.start[v + 1]; ++i) {
                sum += table.rows.count[i] * table.rows.count[i];
            }
            square_[v] = sum;
        }
    }
    clear();
}

void Division::clear() {
    branch_.assign(table_.size(), 1);
    left_.assign(table_.n_classes(), 0.0);
    right_ = table_.total;
    left_weight_ = 0;
    right_weight_ = table_.weight;
    left_rows_ = 0;
    n_left_ = 0;
    left_sum_ = right_sum_ = 0;
    if (form_ == Form::kGini) {
        for (const double c : right_) right_sum_ += c * c;
    } else if (form_ == Form::kEntropy) {
        left_f_.assign(table_.n_classes(), 0.0);
        right_f_.resize(table_.n_classes());
        for (std::size_t k = 0; k < right_.size(); ++k) right_sum_ += right_f_[k] = f(right_[k]);
    }
}

void Division::set(std::span<const std::uint8_t> branch) {
    clear();
    for (std::size_t v = 0; v < branch.size(); ++v) {
        if (branch[v] == 0) flip(v);
    }
}

double Division::dot(std::span<const double> side, std::size_t v) const {
    const Groups& rows = table_.rows;
    double even = 0, odd = 0;
    std::size_t i = rows.start[v];
    for (; i + 1 < rows.start[v + 1]; i += 2) {
        even += rows.count[i] * side[rows.label[i]];
        odd += rows.count[i + 1] * side[rows.label[i + 1]];
    }
    if (i < rows.start[v + 1]) even += rows.count[i] * side[rows.label[i]];
    return even + odd;
}

void Division::flip(std::size_t v) {
    const Groups& rows = table_.rows;
    const bool to_left = branch_[v] != 0;
    const double sign = to_left ? 1 : -1;
    if (form_ == Form::kGini) {
        left_sum_ += sign * 2 * dot(left_, v) + square_[v];
        right_sum_ += -sign * 2 * dot(right_, v) + square_[v];
    }
    for (std::size_t i = rows.start[v]; i < rows.start[v + 1]; ++i) {
        const std::size_t k = rows.label[i];
        left_[k] += sign * rows.count[i];
        right_[k] -= sign * rows.count[i];
        if (form_ == Form::kEntropy) {
            const double l = f(left_[k]), r = f(right_[k]);
            left_sum_ += l - left_f_[k];
            right_sum_ += r - right_f_[k];
            left_f_[k] = l;
            right_f_[k] = r;
        }
    }
    left_weight_ += sign * rows.weight[v];
    right_weight_ -= sign * rows.weight[v];
    left_rows_ += to_left ? rows.rows[v] : -rows.rows[v];
    n_left_ = to_left ? n_left_ + 1 : n_left_ - 1;
    branch_[v] = to_left ? 0 : 1;
}

double Division::judged() const {
    return merit(measure_, {2, {left_, right_, {}}, {left_weight_, right_weight_, 0}}, table_.total, table_.weight);
}

double Division::worth() const {
    if (n_left_ == 0 || n_left_ == table_.size()) return kNever;
    switch (form_) {
        case Form::kGini: return left_sum_ / left_weight_ + right_sum_ / right_weight_;
        case Form::kEntropy: return left_sum_ - f(left_weight_) + right_sum_ - f(right_weight_);
        case Form::kJudged: break;
    }
    return judged();
}

double Division::worth_after(std::size_t v) const {
    const Groups& rows = table_.rows;
    const bool to_left = branch_[v] != 0;
    if (to_left ? n_left_ + 1 == table_.size() : n_left_ == 1) return kNever;
    const double sign = to_left ? 1 : -1;
    const double left_weight = left_weight_ + sign * rows.weight[v],
                 right_weight = right_weight_ - sign * rows.weight[v];
    if (form_ == Form::kGini) {
        const double with_left = dot(left_, v), with_right = dot(right_, v);
        return (left_sum_ + sign * 2 * with_left + square_[v]) / left_weight +
               (right_sum_ - sign * 2 * with_right + square_[v]) / right_weight;
    }
    if (form_ == Form::kEntropy) {
        double change = 0;
        for (std::size_t i = rows.start[v]; i < rows.start[v + 1]; ++i) {
            const std::size_t k = rows.label[i];
            change +=
                f(left_[k] + sign * rows.count[i]) - left_f_[k] + f(right_[k] - sign * rows.count[i]) - right_f_[k];
        }
        return left_sum_ + right_sum_ + change - f(left_weight) - f(right_weight);
    }
    try_left_ = left_;
    try_right_ = right_;
    for (std::size_t i = rows.start[v]; i < rows.start[v + 1]; ++i) {
        try_left_[rows.label[i]] += sign * rows.count[i];
        try_right_[rows.label[i]] -= sign * rows.count[i];
    }
    return merit(measure_, {2, {try_left_, try_right_, {}}, {left_weight, right_weight, 0}}, table_.total,
                 table_.weight);
}

Prefix best_prefix(Division& division, std::span<const std::uint32_t> order, const Room& room) {
    division.clear();
    Prefix best{0, kNever};
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        division.flip(order[i]);
        if (!room.allows(division.left_rows(), division.left_weight())) continue;
        const double worth = division.worth();
        if (best.length == 0 || worth > best.worth + division.slack()) best = {i + 1, worth};
    }
    return best;
}

std::vector<std::uint8_t> branches_of(std::span<const std::uint32_t> order, std::size_t length) {
    std::vector<std::uint8_t> branch(order.size(), 1);
    for (std::size_t i = 0; i < length; ++i) branch[order[i]] = 0;
    return branch;
}

}  // namespace boxwood
