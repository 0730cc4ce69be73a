// The share of a class among the rows of a value, to twelve digits.
//
// Weights that are no whole numbers carry rounding errors from before we saw
// them: shares that are meant to be equal differ in their last bits. Rounded to
// multiples of 2^-40 they are equal again.
#pragma once

namespace boxwood {

inline double rounded_share(double count, double weight) {
    constexpr double kLarge = 6144;  // 2^12 + 2^11: the spacing of numbers about it is 2^-40
    return (count / weight + kLarge) - kLarge;
}

}  // namespace boxwood
