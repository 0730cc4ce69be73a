// The tail of the chi-square distribution, as a logarithm.
//
// P(X > x) for f degrees of freedom is Q(a, x / 2), the regularised upper
// incomplete gamma function with a = f / 2. Strong attributes have p-values far
// below the smallest double, and must still be told apart, so the logarithm is
// computed, never the number:
//     log Q = a log x - x - log Gamma(a) + log h,   h the continued fraction of Q,
// for x >= a + 1 (Lentz's method; Press et al., Numerical Recipes, section 6.2), and
// log(1 - P) from the series of P below that. Both take O(sqrt a) steps near x = a,
// and fewer elsewhere. For large a the first terms are nearly opposite and large,
// so they are put together as
//     a (log(x / a) - (x - a) / a) - log sqrt(2 pi a) - delta(a)
// with Stirling's remainder delta: no digits are lost to size.
#pragma once

namespace boxwood {

// The logarithm of P(X > x), X chi-square distributed; 0 for x <= 0.
double log_chi_square_tail(double x, double freedom);

}  // namespace boxwood
