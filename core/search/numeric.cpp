#include "search/numeric.hpp"

#include <array>

#include "simd.hpp"

namespace boxwood {
namespace {

constexpr std::int32_t kBlock = 64;

struct TwoClasses {
    double rows, ones, base_rows, base_ones;
};

// Is there a cut p in [first, first + kBlock) with D^2 > limit l (N - l)?
BOXWOOD_CLONES bool block_reaches(const std::int32_t* ones, const std::uint8_t* change, std::int32_t first,
                                  TwoClasses n, double limit) {
    std::int32_t any = 0;
    for (std::int32_t j = 0; j < kBlock; ++j) {
        const double left = n.base_rows + static_cast<double>(first + j);
        const double d = (n.base_ones + static_cast<double>(ones[j])) * n.rows - n.ones * left;
        any |= (d * d >= limit * (left * (n.rows - left)) ? 1 : 0) & change[j];
    }
    return any != 0;
}

// D^2 / (l (N - l)) for every cut of a block, -1 where the value does not change.
BOXWOOD_CLONES void block_values(const std::int32_t* ones, const std::uint8_t* change, std::int32_t first, TwoClasses n,
                                 double* out) {
    for (std::int32_t j = 0; j < kBlock; ++j) {
        const double left = n.base_rows + static_cast<double>(first + j);
        const double d = (n.base_ones + static_cast<double>(ones[j])) * n.rows - n.ones * left;
        const double value = d * d / (left * (n.rows - left));
        out[j] = change[j] ? value : -1.0;
    }
}

}  // namespace

void scan_two_classes(std::span<const std::int32_t> ones, std::span<const std::uint8_t> change,
                      const Population& population, const Terms& terms, Found& found) {
    const auto known = static_cast<std::int64_t>(ones.size());
    const Range cuts = feasible_cuts(known, population, terms.minimum.rows);
    if (cuts.first > cuts.last) return;
    const TwoClasses n{static_cast<double>(population.rows), population.total[1],
                       static_cast<double>(population.base_rows), population.base[1]};
    const double scale = 2 / n.rows;
    const auto limit = [&] { return (std::max(terms.floor, found.value) - terms.slack - terms.constant) / scale; };
    const auto value_of = [&](std::int64_t p) {
        const double left = n.base_rows + static_cast<double>(p);
        const double d = (n.base_ones + ones[static_cast<std::size_t>(p - 1)]) * n.rows - n.ones * left;
        return d * d / (left * (n.rows - left));
    };
    double least = limit();
    const auto offer = [&](double value, std::int64_t p) {
        found.feasible = true;
        if (value < least) return;
        found.offer(value * scale + terms.constant, terms.slack, static_cast<std::uint32_t>(p), terms.side);
        least = limit();
    };
    std::int64_t p = cuts.first;
    std::array<double, kBlock> values;
    for (; p + kBlock <= cuts.last + 1; p += kBlock) {
        const auto at = static_cast<std::size_t>(p - 1);
        const auto first = static_cast<std::int32_t>(p);
        if (found.feasible && !block_reaches(&ones[at], &change[at], first, n, least)) continue;
        block_values(&ones[at], &change[at], first, n, values.data());
        for (std::int32_t j = 0; j < kBlock; ++j) {
            if (values[static_cast<std::size_t>(j)] >= 0) offer(values[static_cast<std::size_t>(j)], p + j);
        }
    }
    for (; p <= cuts.last; ++p) {
        if (change[static_cast<std::size_t>(p - 1)]) offer(value_of(p), p);
    }
}

}  // namespace boxwood
