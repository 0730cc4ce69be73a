#include "criteria/balances/ambiguity.hpp"

#include "simd.hpp"

namespace boxwood {
namespace {

// Of both sides: sum_k c_k f_k, and the largest c_k; and the weight of the left one.
struct Sums {
    double left = 0, right = 0, most_left = 0, most_right = 0, left_weight = 0;
};

BOXWOOD_CLONES void add_up(const double* left, const double* total, const double* left_factor,
                           const double* right_factor, std::size_t n, Sums& sums) {
    double l = 0, r = 0, most_l = 0, most_r = 0, weight = 0;
#pragma omp simd reduction(+ : l, r, weight) reduction(max : most_l, most_r)
    for (std::size_t k = 0; k < n; ++k) {
        const double a = left[k], b = total[k] - a;
        l += a * left_factor[k];
        r += b * right_factor[k];
        weight += a;
        most_l = a > most_l ? a : most_l;
        most_r = b > most_r ? b : most_r;
    }
    sums = {l, r, most_l, most_r, weight};
}

}  // namespace

BOXWOOD_CLONES void place_counts(const double* counts, std::size_t n, std::int32_t* places) {
    for (std::size_t k = 0; k < n; ++k) places[k] = 0;
    for (std::size_t j = 0; j < n; ++j) {
        std::int32_t behind = 0;
        for (std::size_t k = j + 1; k < n; ++k) {
            const std::int32_t is_behind = counts[j] >= counts[k] ? 1 : 0;
            places[k] += is_behind;
            behind += is_behind;
        }
        places[j] += static_cast<std::int32_t>(n - 1 - j) - behind;
    }
}

void AmbiguityPerCut::start(const Sides& sides) {
    lay_ambiguity_factors(sides.total.size(), factor_);
    at_.assign(sides.total.size(), 0);
    before_.swap(total_);
    total_.clear();
    left_.count.clear();
    weight_ = 0;
    for (std::size_t k = 0; k < sides.total.size(); ++k) {
        if (!(sides.total[k] > 0)) continue;
        at_[k] = static_cast<std::uint32_t>(total_.size());
        total_.push_back(sides.total[k]);
        left_.count.push_back(sides.left[k]);
        weight_ += sides.total[k];
    }
    right_.count.resize(total_.size());
    places_.resize(total_.size());
    if (total_ != before_) {  // columns of one node come one after the other
        node_.count = total_;
        node_.ambiguity(factor_, places_);
    }
    for (Side* side : {&left_, &right_}) {
        side->factor = node_.factor;
        side->largest = node_.largest;
    }
    known_ = false;
}

double AmbiguityPerCut::Side::ambiguity(const std::vector<double>& factors, std::vector<std::int32_t>& places) {
    const std::size_t n = count.size();
    place_counts(count.data(), n, places.data());
    factor.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        factor[k] = factors[static_cast<std::size_t>(places[k])];
        if (places[k] == 0) largest = k;
    }
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += count[k] * factor[k];
    return n > 0 && count[largest] > 0 ? weight * (sum / count[largest]) : 0.0;
}

double AmbiguityPerCut::bound() const {
    Sums sums;
    const std::size_t n = total_.size();
    add_up(left_.count.data(), total_.data(), left_.factor.data(), right_.factor.data(), n, sums);
    // The largest class has no factor; the one that had none gets its.
    const auto least = [&](const Side& side, double sum, double most, double weight, auto count) {
        if (!(most > 0)) return 0.0;
        if (count(side.largest) < most) {
            std::size_t k = 0;
            while (count(k) != most) ++k;
            sum -= (most - count(side.largest)) * side.factor[k];
        }
        return weight * (sum / most);
    };
    return -least(left_, sums.left, sums.most_left, sums.left_weight, [&](std::size_t k) { return left_.count[k]; }) -
           least(right_, sums.right, sums.most_right, weight_ - sums.left_weight,
                 [&](std::size_t k) { return total_[k] - left_.count[k]; });
}

}  // namespace boxwood
