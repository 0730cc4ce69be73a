#include "select/chi_square.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace boxwood {
namespace {

// log(1 + t) - t without cancellation.
double log1p_less(double t) {
    if (std::fabs(t) > 0.1) return std::log1p(t) - t;
    double sum = 0, power = t;
    for (int k = 2; k < 24; ++k) {
        power *= -t;
        sum += power / k;
    }
    return sum;
}

// log Gamma(a + 1) - (a log a - a + log sqrt(2 pi a)).
double stirling_rest(double a) {
    const double b = 1 / (a * a);
    return (1.0 / 12 - b * (1.0 / 360 - b * (1.0 / 1260 - b * (1.0 / 1680 - b / 1188)))) / a;
}

// log(x^a e^-x / Gamma(a + 1)).
double log_term(double a, double x) {
    if (a < 16) return a * std::log(x) - x - std::lgamma(a + 1);
    return a * log1p_less((x - a) / a) - 0.5 * std::log(2 * std::numbers::pi * a) - stirling_rest(a);
}

constexpr int kMostSteps = 10'000'000;

}  // namespace

double log_chi_square_tail(double statistic, double freedom) {
    const double a = freedom / 2, x = statistic / 2;
    if (!(x > 0) || !(a > 0)) return 0;
    if (std::isinf(x)) return -std::numeric_limits<double>::infinity();
    if (x < a + 1) {
        double term = 1, sum = 1;
        for (int n = 1; n < kMostSteps && term > 1e-17 * sum; ++n) {
            term *= x / (a + n);
            sum += term;
        }
        const double lower = std::exp(log_term(a, x)) * sum;
        return lower < 1 ? std::log1p(-lower) : -std::numeric_limits<double>::infinity();
    }
    // Lentz: Q = (x^a e^-x / Gamma(a)) / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)).
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int n = 1; n < kMostSteps; ++n) {
        const double factor = -n * (n - a);
        b += 2;
        d = 1 / (factor * d + b);
        c = b + factor / c;
        const double step = c * d;
        h *= step;
        if (std::fabs(step - 1) < 1e-16) break;
    }
    return log_term(a, x) + std::log(a) + std::log(h);
}

}  // namespace boxwood
