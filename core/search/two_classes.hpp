// Kernels for two classes and unit weights: blocks of cuts side by side.
//
// With N rows, n of them of class 1, and l rows on the left, l1 of them of class 1,
// every criterion is a function of l and l1:
//     Gini       w gain = 2 D^2 / (N l (N - l)), D = l1 N - n l: a block is compared with the best so far by
//                multiplications alone. Twoing is half of it.
//     error      w gain = max(l1, l - l1) + max(r1, r - r1) - max(n, N - n)
//     sine, ambiguity   minus the sum of w f of both sides, f by a polynomial, by one division
//     Hellinger  N times the distance; a block is compared with the best so far by multiplications alone
//     entropy, Tsallis   tables of c log2 c, c^q, ..., looked up for the cuts that need looking at
#pragma once

#include <cstdint>
#include <span>

#include "criteria/criterion.hpp"
#include "search/numeric.hpp"

namespace boxwood {

bool has_two_class_kernel(const Measure& measure);
// Does the kernel weigh cuts faster than they are marked? It takes Sequence::marks then; the others do not.
inline bool marks_late(const Measure& measure) {
    return measure.kind == Criterion::kGini || measure.kind == Criterion::kTwoing ||
           measure.kind == Criterion::kHellinger;
}

// `ones[i]`: rows of class 1 among the first i + 1 known rows. The cuts `look` marks, and those at both ends of what
// the minima allow, are weighed.
void scan_two_classes(const Measure& measure, const CountTables& tables, std::span<const std::int32_t> ones,
                      const Sequence& sequence, const Population& population, const Terms& terms, Found& found);

// The largest number of rows for which the kernels' products are exact.
inline constexpr std::int64_t kTwoClassRows = 90'000'000;

}  // namespace boxwood
