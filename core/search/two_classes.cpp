#include "search/two_classes.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "simd.hpp"

#if defined(__GNUC__)
#define BOXWOOD_INLINE [[gnu::always_inline]] inline
#else
#define BOXWOOD_INLINE inline
#endif

namespace boxwood {
namespace {

constexpr std::int32_t kBlock = 64;
constexpr double kNothing = -std::numeric_limits<double>::infinity();

struct Counts {
    double rows, ones, base_rows, base_ones;
};

// Each formula gives, from the left rows and those of class 1 among them, a value that grows with the merit;
// `scale` and `offset` turn it into w times the merit.
struct Gini {
    Counts n;
    double scale = 2 / n.rows, offset = 0;
    BOXWOOD_INLINE double operator()(double left, double ones) const {
        const double d = ones * n.rows - n.ones * left;
        return d * d / (left * (n.rows - left));
    }
};

struct Error {
    Counts n;
    double scale = 1, offset = -(n.ones > n.rows - n.ones ? n.ones : n.rows - n.ones);
    BOXWOOD_INLINE double operator()(double left, double ones) const {
        const double zeros = left - ones, right_ones = n.ones - ones, right_zeros = n.rows - left - right_ones;
        return (ones > zeros ? ones : zeros) + (right_ones > right_zeros ? right_ones : right_zeros);
    }
};

struct Sine {
    Counts n;
    double scale = 1, offset = n.rows * sine_of_share((n.ones < n.rows - n.ones ? n.ones : n.rows - n.ones) / n.rows);
    BOXWOOD_INLINE double operator()(double left, double ones) const {
        const double right = n.rows - left;
        return -left * sine_of_share(ones / left) - right * sine_of_share((n.ones - ones) / right);
    }
};

struct Ambiguity {
    Counts n;
    double scale = std::log(2.0), offset = std::log(2.0) * one_side(n.rows, n.ones);
    BOXWOOD_INLINE static double one_side(double rows, double ones) {
        const double zeros = rows - ones;
        return rows * ((ones < zeros ? ones : zeros) / (ones < zeros ? zeros : ones));
    }
    BOXWOOD_INLINE double operator()(double left, double ones) const {
        return -one_side(left, ones) - one_side(n.rows - left, n.ones - ones);
    }
};

struct Hellinger {
    Counts n;
    double scale = n.rows, offset = 0;
    BOXWOOD_INLINE double operator()(double left, double ones) const {
        const double zeros = n.rows - n.ones;
        const double l = std::sqrt(ones / n.ones) - std::sqrt((left - ones) / zeros);
        const double r = std::sqrt((n.ones - ones) / n.ones) - std::sqrt((zeros - left + ones) / zeros);
        return std::sqrt(l * l + r * r);
    }
};

// The value of every cut of a block, kNothing where it need not be looked at.
template <class Formula>
BOXWOOD_INLINE void fill_block(const Formula& formula, const std::int32_t* ones, const std::uint8_t* look,
                               std::int32_t first, double* out) {
    for (std::int32_t j = 0; j < kBlock; ++j) {
        const double left = formula.n.base_rows + static_cast<double>(first + j);
        const double value = formula(left, formula.n.base_ones + static_cast<double>(ones[j]));
        out[j] = look[j] != 0 ? value : kNothing;
    }
}

BOXWOOD_CLONES void values(const Gini& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                           double* out) {
    fill_block(f, ones, look, first, out);
}
BOXWOOD_CLONES void values(const Error& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                           double* out) {
    fill_block(f, ones, look, first, out);
}
BOXWOOD_CLONES void values(const Sine& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                           double* out) {
    fill_block(f, ones, look, first, out);
}
BOXWOOD_CLONES void values(const Ambiguity& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                           double* out) {
    fill_block(f, ones, look, first, out);
}
BOXWOOD_CLONES void values(const Hellinger& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                           double* out) {
    fill_block(f, ones, look, first, out);
}

// Is there a cut in the block with a value of at least `limit`? Gini tells without dividing.
BOXWOOD_CLONES bool gini_reaches(const Counts& n, const std::int32_t* ones, const std::uint8_t* look,
                                 std::int32_t first, double limit) {
    std::int32_t any = 0;
    for (std::int32_t j = 0; j < kBlock; ++j) {
        const double left = n.base_rows + static_cast<double>(first + j);
        const double d = (n.base_ones + static_cast<double>(ones[j])) * n.rows - n.ones * left;
        any |= (d * d >= limit * (left * (n.rows - left)) ? 1 : 0) & look[j];
    }
    return any != 0;
}

BOXWOOD_CLONES bool any_reaches(const double* value, double limit) {
    std::int32_t any = 0;
    for (std::int32_t j = 0; j < kBlock; ++j) any |= value[j] >= limit ? 1 : 0;
    return any != 0;
}

bool fill_if_reached(const Gini& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                     double limit, double* out) {
    if (!gini_reaches(f.n, ones, look, first, limit)) return false;
    values(f, ones, look, first, out);
    return true;
}

template <class Formula>
bool fill_if_reached(const Formula& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                     double limit, double* out) {
    values(f, ones, look, first, out);
    return any_reaches(out, limit);
}

template <class Formula>
void scan_blocks(const Formula& formula, std::span<const std::int32_t> ones, std::span<const std::uint8_t> look,
                 const Range& cuts, const Terms& terms, Found& found) {
    const double offset = terms.constant + formula.offset;
    const auto limit = [&] { return (std::max(terms.floor, found.value) - terms.slack - offset) / formula.scale; };
    const auto value_of = [&](std::int64_t p) {
        return formula(formula.n.base_rows + static_cast<double>(p),
                       formula.n.base_ones + ones[static_cast<std::size_t>(p - 1)]);
    };
    double least = limit();
    const auto offer = [&](double value, std::int64_t p) {
        if (!(value >= least)) return;
        found.offer(value * formula.scale + offset, terms.slack, static_cast<std::uint32_t>(p), terms.side);
        least = limit();
    };
    found.feasible = true;
    const auto looked_at = [&](std::int64_t p) { return look[static_cast<std::size_t>(p - 1)] != 0; };
    if (!looked_at(cuts.first)) offer(value_of(cuts.first), cuts.first);
    std::int64_t p = cuts.first;
    std::array<double, kBlock> value;
    for (; p + kBlock <= cuts.last + 1; p += kBlock) {
        const auto at = static_cast<std::size_t>(p - 1);
        if (!fill_if_reached(formula, &ones[at], &look[at], static_cast<std::int32_t>(p), least, value.data()))
            continue;
        for (std::int32_t j = 0; j < kBlock; ++j) offer(value[static_cast<std::size_t>(j)], p + j);
    }
    for (; p <= cuts.last; ++p) {
        if (looked_at(p)) offer(value_of(p), p);
    }
    if (cuts.last > cuts.first && !looked_at(cuts.last)) offer(value_of(cuts.last), cuts.last);
}

}  // namespace

bool has_two_class_kernel(Criterion criterion) {
    switch (criterion) {
        case Criterion::kGini:
        case Criterion::kTwoing:
        case Criterion::kError:
        case Criterion::kSine:
        case Criterion::kAmbiguity:
        case Criterion::kHellinger: return true;
        default: return false;
    }
}

void scan_two_classes(Criterion criterion, std::span<const std::int32_t> ones, const Sequence& sequence,
                      const Population& population, const Terms& terms, Found& found) {
    const Range cuts = allowed_cuts(sequence, static_cast<std::int64_t>(ones.size()), population, terms.minimum);
    if (cuts.first > cuts.last) return;
    const Counts n{static_cast<double>(population.rows), population.total[1], static_cast<double>(population.base_rows),
                   population.base[1]};
    const auto scan_with = [&](const auto& formula) { scan_blocks(formula, ones, sequence.look, cuts, terms, found); };
    switch (criterion) {
        case Criterion::kTwoing: scan_with(Gini{n, 1 / n.rows, 0}); break;
        case Criterion::kError: scan_with(Error{n}); break;
        case Criterion::kSine: scan_with(Sine{n}); break;
        case Criterion::kAmbiguity: scan_with(Ambiguity{n}); break;
        case Criterion::kHellinger: scan_with(Hellinger{n}); break;
        default: scan_with(Gini{n}); break;
    }
}

}  // namespace boxwood
