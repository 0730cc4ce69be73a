// How many errors a leaf may make on new rows, seen from the errors it makes on its own: C4.5's and J48's estimates.
//
// A leaf with e errors among N rows is taken as N draws with e failures; its rate is put at the upper end of a
// confidence interval, r, and what is added to e is N r - e. Without errors the interval is exact: (1 - r)^N = CF.
// From one error on it is the normal approximation with continuity correction,
//
//     f = (e + 1/2) / N,   r = (f + z^2 / 2N + z sqrt(f / N - f^2 / N + z^2 / 4N^2)) / (1 + z^2 / N),
//
// and linear in e between. The two programs differ where e is nearly N, in z (J48 has the exact quantile of the
// normal distribution, C4.5 reads a short table), and in what counts as no error and as one. z is the caller's.
//
// References: J. R. Quinlan, C4.5, 1993, section 4.2; E. Frank and others, Weka 3.9, class Stats.
#pragma once

#include <algorithm>
#include <cmath>

namespace boxwood::pruning {

struct UpperError {
    double confidence;
    double z;
    bool weka;  // J48's variant; otherwise C4.5's

    // What is to be added to e.
    double extra(double n, double e) const {
        if (n <= 0) return 0;
        if (weka && confidence > 0.5) return 0;
        if (e < (weka ? 1.0 : 0.9999)) {
            const double none = n * (1 - std::pow(confidence, 1 / n));
            if (weka ? e <= 0 : e < 1e-6) return none;
            return none + e * (from_one_error(n, 1.0) - none);
        }
        return from_one_error(n, e);
    }

  private:
    double from_one_error(double n, double e) const {
        if (e + 0.5 >= n) return weka ? std::max(n - e, 0.0) : 0.67 * (n - e);
        const double f = (e + 0.5) / n, zz = z * z;
        const double r = (f + zz / (2 * n) + z * std::sqrt(f / n - f * f / n + zz / (4 * n * n))) / (1 + zz / n);
        return r * n - e;
    }
};

}  // namespace boxwood::pruning
