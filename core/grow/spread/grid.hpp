// Parts of a row's weight, cut so that sums stay exact.
//
// The problem: a row whose tested value is missing goes down every branch, each
// with a share of its weight. Shares are no round numbers, and sums of rounded
// ones depend on the order of the rows.
//
// The idea: weights are multiples of a power of two (boxwood.data.weights), and
// the total has fewer than 2^53 of a unit that is as small as this allows. Every
// part is cut down to a multiple of the unit, and what is left goes to the
// heaviest branch, the first of equals. So the parts of a row add up to its
// weight, no sum of parts ever exceeds the total, and every sum of them is exact
// in any order. A part is off by less than a unit, 2^-52 of the total; a part of
// less than a unit is nothing, and the row does not go there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace boxwood::spread {

class WeightGrid {
  public:
    explicit WeightGrid(double total) {
        std::frexp(total, &exponent_);
        exponent_ = std::max(exponent_ - 53, -1074);
    }

    // Divides `weight` in proportion to `of`, whose sum is `all`; `heaviest` is the place of its largest element.
    void divide(double weight, std::span<const double> of, double all, std::size_t heaviest,
                std::span<double> parts) const {
        double left = weight;
        for (std::size_t b = 0; b < of.size(); ++b) {
            parts[b] = b == heaviest ? 0.0 : down(weight * (of[b] / all));
            left -= parts[b];
        }
        parts[heaviest] = left;
    }

  private:
    double down(double x) const { return std::ldexp(std::floor(std::ldexp(x, -exponent_)), exponent_); }
    int exponent_ = 0;
};

}  // namespace boxwood::spread
