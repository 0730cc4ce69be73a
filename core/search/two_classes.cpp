#include "search/two_classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "search/cut_rule.hpp"
#include "simd.hpp"

namespace boxwood {
namespace {

constexpr std::int32_t kBlock = 64;

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

struct Entropy {
    Counts n;
    const double* log;
    double scale = 1, offset = -one_side(n.rows, n.ones);
    double one_side(double rows, double ones) const {
        const auto l = static_cast<std::size_t>(rows), l1 = static_cast<std::size_t>(ones);
        return log[l1] + log[l - l1] - log[l];
    }
    double operator()(double left, double ones) const {
        return one_side(left, ones) + one_side(n.rows - left, n.ones - ones);
    }
};

struct Tsallis {
    Counts n;
    const double* power;
    const double* factor;
    double scale = 1, offset = -one_side(n.rows, n.ones);
    double one_side(double rows, double ones) const {
        const auto l = static_cast<std::size_t>(rows), l1 = static_cast<std::size_t>(ones);
        return (power[l1] + power[l - l1]) * factor[l];
    }
    double operator()(double left, double ones) const {
        return one_side(left, ones) + one_side(n.rows - left, n.ones - ones);
    }
};

// The value of every cut of a block. The formula comes by value: nothing that is written can change it.
template <class Formula>
BOXWOOD_INLINE void fill_block(Formula formula, const double* left, const double* ones, double* out) {
    for (std::int32_t j = 0; j < kBlock; ++j) out[j] = formula(left[j], ones[j]);
}

BOXWOOD_CLONES void values(const Error& f, const double* left, const double* ones, double* out) {
    fill_block(f, left, ones, out);
}
BOXWOOD_CLONES void values(const Sine& f, const double* left, const double* ones, double* out) {
    fill_block(f, left, ones, out);
}
BOXWOOD_CLONES void values(const Ambiguity& f, const double* left, const double* ones, double* out) {
    fill_block(f, left, ones, out);
}
void values(const Entropy& f, const double* left, const double* ones, double* out) {
    fill_block(f, left, ones, out);
}
void values(const Tsallis& f, const double* left, const double* ones, double* out) {
    fill_block(f, left, ones, out);
}

// Gini: is there a cut in [first, first + kBlock) with a value of at least `limit`? Told without dividing.
BOXWOOD_CLONES bool gini_reaches(Counts n, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                                 double limit) {
    std::int32_t any = 0;
    for (std::int32_t j = 0; j < kBlock; ++j) {
        const double left = n.base_rows + static_cast<double>(first + j);
        const double d = (n.base_ones + static_cast<double>(ones[j])) * n.rows - n.ones * left;
        any |= (d * d >= limit * (left * (n.rows - left)) ? 1 : 0) & look[j];
    }
    return any != 0;
}

// Hellinger: the same. With s = sqrt(n (N - n)), a = l1 (l - l1) and b = r1 (r - r1), the distance is
// sqrt(2 - 2 (sqrt(a) + sqrt(b)) / s), so it reaches the limit where sqrt(a) + sqrt(b) <= s (1 - limit^2 / 2) = t,
// which is 4 a b <= (t^2 - a - b)^2, both sides of the square positive. Rounding is far below the slack that t is
// given.
BOXWOOD_CLONES bool hellinger_reaches(Counts n, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                                      double limit) {
    const double t = (limit > 0 ? 1 - limit * limit / 2 : 1) + 1e-12;
    const double zeros = n.rows - n.ones, square = n.ones * zeros * t * (t > 0 ? t : 0);
    std::int32_t any = 0;
    for (std::int32_t j = 0; j < kBlock; ++j) {
        const double left_ones = n.base_ones + static_cast<double>(ones[j]);
        const double left_zeros = n.base_rows + static_cast<double>(first + j) - left_ones;
        const double a = left_ones * left_zeros, b = (n.ones - left_ones) * (zeros - left_zeros);
        const double rest = square - a - b;
        any |= (rest >= 0 ? 1 : 0) & (rest * rest >= 4 * a * b ? 1 : 0) & look[j];
    }
    return any != 0;
}

BOXWOOD_INLINE bool reaches(const Gini& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                            double limit) {
    return gini_reaches(f.n, ones, look, first, limit);
}
BOXWOOD_INLINE bool reaches(const Hellinger& f, const std::int32_t* ones, const std::uint8_t* look, std::int32_t first,
                            double limit) {
    return hellinger_reaches(f.n, ones, look, first, limit);
}

template <class Formula>
concept PassesOver = std::is_same_v<Formula, Gini> || std::is_same_v<Formula, Hellinger>;

// Offers cuts to what was found, and keeps the value from which on a cut is of interest.
template <class Formula>
class Offers {
  public:
    Offers(const Formula& formula, std::span<const std::int32_t> ones, const Terms& terms, Found& found)
        : formula_(formula), ones_(ones), terms_(terms), found_(found), offset_(terms.constant + formula.offset) {
        set_least();
    }
    double least() const { return least_; }
    double value(std::int64_t p) const {
        return formula_(formula_.n.base_rows + static_cast<double>(p),
                        formula_.n.base_ones + ones_[static_cast<std::size_t>(p - 1)]);
    }
    void offer(double value, std::int64_t p) {
        if (!(value >= least_)) return;
        found_.offer(value * formula_.scale + offset_, terms_.slack, static_cast<std::uint32_t>(p), terms_.side,
                     terms_.side != Side::kOwn ? formula_.n.base_rows + static_cast<double>(p) : 0.0);
        set_least();
    }
    void offer(std::int64_t p) { offer(value(p), p); }

  private:
    void set_least() { least_ = (std::max(terms_.floor, found_.value) - terms_.slack - offset_) / formula_.scale; }
    const Formula& formula_;
    std::span<const std::int32_t> ones_;
    const Terms& terms_;
    Found& found_;
    double offset_, least_ = 0;
};

// Gini and Hellinger pass over blocks of cuts that cannot reach the best so far. That is cheaper than to mark the cuts
// that need looking at, so these are marked in the other blocks only, where there is room for marks.
template <PassesOver Formula>
void offer_marked(const Formula& formula, std::span<const std::int32_t> ones, const Sequence& sequence,
                  const Range& cuts, Offers<Formula>& offers) {
    const auto at = [](std::int64_t cut) { return static_cast<std::size_t>(cut - 1); };
    for (std::int64_t block = cuts.first; block <= cuts.last; block += kBlock) {
        const std::int64_t end = std::min(cuts.last + 1, block + kBlock);
        if (end == block + kBlock && !reaches(formula, &ones[at(block)], &sequence.look[at(block)],
                                              static_cast<std::int32_t>(block), offers.least())) {
            continue;
        }
        const std::uint8_t* look = sequence.look.data();
        if (sequence.marks != nullptr) {
            mark_boundaries(sequence.change, ones, at(block), at(end), sequence.marks);
            look = sequence.marks;
        }
        for (std::int64_t p = block; p < end; ++p) {
            if (look[at(p)] != 0) offers.offer(p);
        }
    }
}

// The others pack the cuts that are marked into blocks.
template <class Formula>
void offer_marked(const Formula& formula, std::span<const std::int32_t> ones, const Sequence& sequence,
                  const Range& cuts, Offers<Formula>& offers) {
    const std::span<const std::uint8_t> look = sequence.look;
    constexpr std::size_t kStep = 8;
    std::array<double, kBlock + kStep> left, left_ones, value;
    std::array<std::int64_t, kBlock + kStep> cut;
    // A short block is filled up with a cut that there is: others may have counts that no table goes to.
    left.fill(formula.n.base_rows + static_cast<double>(cuts.first));
    left_ones.fill(formula.n.base_ones + ones[static_cast<std::size_t>(cuts.first - 1)]);
    std::size_t n = 0;
    const auto flush = [&] {
        values(formula, left.data(), left_ones.data(), value.data());
        const std::size_t full = std::min<std::size_t>(n, kBlock);
        for (std::size_t j = 0; j < full; ++j) offers.offer(value[j], cut[j]);
        for (std::size_t j = full; j < n; ++j) {
            left[j - full] = left[j];
            left_ones[j - full] = left_ones[j];
            cut[j - full] = cut[j];
        }
        n -= full;
    };
    const auto pack = [&](std::int64_t p) {
        const auto at = static_cast<std::size_t>(p - 1);
        left[n] = formula.n.base_rows + static_cast<double>(p);
        left_ones[n] = formula.n.base_ones + ones[at];
        cut[n] = p;
        n += look[at];
    };
    std::int64_t p = cuts.first;
    for (; p + static_cast<std::int64_t>(kStep) <= cuts.last + 1; p += kStep) {
        std::uint64_t marks;
        std::memcpy(&marks, &look[static_cast<std::size_t>(p - 1)], sizeof marks);
        if (marks == 0) continue;
        for (std::size_t j = 0; j < kStep; ++j) pack(p + static_cast<std::int64_t>(j));
        if (n >= kBlock) flush();
    }
    for (; p <= cuts.last; ++p) pack(p);
    while (n > 0) flush();
}

template <class Formula>
void scan_with(const Formula& formula, std::span<const std::int32_t> ones, const Sequence& sequence, const Range& cuts,
               const Terms& terms, Found& found) {
    found.feasible = true;
    Offers<Formula> offers(formula, ones, terms, found);
    const auto marked = [&](std::int64_t p) {
        const auto i = static_cast<std::size_t>(p - 1);
        if (sequence.marks == nullptr) return sequence.look[i] != 0;
        mark_boundaries(sequence.change, ones, i, i + 1, sequence.marks);
        return sequence.marks[i] != 0;
    };
    if (!marked(cuts.first)) offers.offer(cuts.first);
    offer_marked(formula, ones, sequence, cuts, offers);
    if (cuts.last > cuts.first && !marked(cuts.last)) offers.offer(cuts.last);
}

}  // namespace

bool has_two_class_kernel(const Measure& measure) {
    switch (measure.kind) {
        case Criterion::kTsallis: return measure.q != 1 && std::fabs(measure.q - 1) > kNearShannon && measure.q < 8;
        case Criterion::kEntropy:
        case Criterion::kGainRatio:
        case Criterion::kGini:
        case Criterion::kTwoing:
        case Criterion::kError:
        case Criterion::kSine:
        case Criterion::kAmbiguity:
        case Criterion::kHellinger: return true;
        default: return false;
    }
}

void scan_two_classes(const Measure& measure, const CountTables& tables, std::span<const std::int32_t> ones,
                      const Sequence& sequence, const Population& population, const Terms& terms, Found& found) {
    const Range cuts = allowed_cuts(sequence, static_cast<std::int64_t>(ones.size()), population, terms.minimum);
    if (cuts.first > cuts.last) return;
    const Counts n{static_cast<double>(population.rows), population.total[1], static_cast<double>(population.base_rows),
                   population.base[1]};
    const auto scan = [&](const auto& formula) { scan_with(formula, ones, sequence, cuts, terms, found); };
    switch (measure.kind) {
        case Criterion::kEntropy:
        case Criterion::kGainRatio: scan(Entropy{n, tables.logs()}); break;
        case Criterion::kTsallis: scan(Tsallis{n, tables.powers(), tables.scales()}); break;
        case Criterion::kTwoing: scan(Gini{n, 1 / n.rows, 0}); break;
        case Criterion::kError: scan(Error{n}); break;
        case Criterion::kSine: scan(Sine{n}); break;
        case Criterion::kAmbiguity: scan(Ambiguity{n}); break;
        case Criterion::kHellinger: scan(Hellinger{n}); break;
        default: scan(Gini{n}); break;
    }
}

}  // namespace boxwood
