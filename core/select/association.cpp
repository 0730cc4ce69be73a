#include "select/association.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace boxwood {
namespace {

// SplitMix64, see grow/random.hpp.
class Bits {
  public:
    explicit Bits(std::uint64_t key) : state_(key) {}
    // A number below n: the high half of a product of 64 bits with n.
    std::size_t below(std::uint32_t n) { return static_cast<std::size_t>((next() >> 32) * n >> 32); }

  private:
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t x = state_;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }
    std::uint64_t state_;
};

template <class T>
void shuffle(std::vector<T>& values, Bits& bits) {
    for (std::size_t i = values.size(); i > 1; --i) {
        std::swap(values[i - 1], values[bits.below(static_cast<std::uint32_t>(i))]);
    }
}

// Counts permutations beside the statistic of the node. Sums in another order may differ in their last digits.
class Tally {
  public:
    explicit Tally(double statistic) : low_(statistic * (1 - 1e-9)), high_(statistic * (1 + 1e-9)) {}
    void add(double found) {
        above_ += found > high_;
        equal_ += found >= low_ && found <= high_;
    }
    Simulated out_of(std::uint32_t permutations) const {
        const double all = 1.0 + permutations, equal = 1 + equal_;
        return {(above_ + equal) / all, (above_ + equal / 2) / all};
    }

  private:
    double low_, high_, above_ = 0, equal_ = 0;
};

// X^2 of one row of a table, by its class counts.
double pearson_row(std::span<const double> counts, double row, std::span<const double> known, double weight) {
    double sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (!(known[k] > 0)) continue;
        const double expected = row * (known[k] / weight), difference = counts[k] - expected;
        sum += difference * difference / expected;
    }
    return sum;
}

}  // namespace

void standardise(std::span<double> x, std::span<const double> weight) {
    double largest = 0;
    for (const double value : x) largest = std::max(largest, std::fabs(value));
    if (!(largest > 0)) return;
    double sum = 0, all = 0;
    for (std::size_t g = 0; g < x.size(); ++g) {
        x[g] /= largest;
        sum += weight[g] * x[g];
        all += weight[g];
    }
    const double mean = sum / all;
    double rest = 0, widest = 0;
    for (std::size_t g = 0; g < x.size(); ++g) {
        x[g] -= mean;
        rest += weight[g] * x[g];
    }
    rest /= all;  // what rounding left of the mean
    for (double& value : x) widest = std::max(widest, std::fabs(value -= rest));
    if (!(widest > 0)) return;
    for (double& value : x) value /= widest;
}

double pearson(const Groups& groups, std::span<const double> known, double weight) {
    double sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        // Classes without a row in the group have difference -expected: together what the others leave.
        double here = 0, expected_here = 0;
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            const double expected = groups.weight[g] * (known[groups.label[i]] / weight);
            const double difference = groups.count[i] - expected;
            here += difference * difference / expected;
            expected_here += expected;
        }
        sum += here + std::max(0.0, groups.weight[g] - expected_here);
    }
    return sum;
}

double between_share(const Groups& groups, std::span<const double> x, std::span<const double> known,
                     std::vector<double>& sums) {
    sums.assign(known.size(), 0.0);
    double squares = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        squares += groups.weight[g] * x[g] * x[g];
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            sums[groups.label[i]] += groups.count[i] * x[g];
        }
    }
    double between = 0;
    for (std::size_t k = 0; k < known.size(); ++k) {
        if (known[k] > 0) between += sums[k] * (sums[k] / known[k]);
    }
    return squares > 0 ? std::min(1.0, between / squares) : 0.0;
}

double best_cut(const Groups& groups, std::span<const double> known, double weight, double least,
                std::vector<double>& left) {
    left.assign(known.size(), 0.0);
    double best = -1, left_weight = 0;
    for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) left[groups.label[i]] += groups.count[i];
        left_weight += groups.weight[g];
        const double right_weight = weight - left_weight;
        if (left_weight < least || right_weight < least) continue;
        // Both rows of the table have the same differences, with opposite signs.
        best = std::max(best, pearson_row(left, left_weight, known, weight) * (1 + left_weight / right_weight));
    }
    return best;
}

double second_weight(const Groups& groups) {
    double first = 0, second = 0;
    for (const double weight : groups.weight) {
        if (weight > first) {
            second = std::exchange(first, weight);
        } else {
            second = std::max(second, weight);
        }
    }
    return second;
}

Simulated simulate(const Groups& groups, AssociationSpace& space, double statistic, std::uint32_t permutations,
                   std::uint64_t key) {
    const auto& known = space.known;
    const bool numeric = !space.x.empty();
    space.labels.clear();
    double all = 0;
    for (std::size_t k = 0; k < known.size(); ++k) {
        space.labels.insert(space.labels.end(), static_cast<std::size_t>(known[k]), static_cast<std::uint16_t>(k));
        all += known[k];
    }
    double squares = 0;
    if (numeric) {
        for (std::size_t g = 0; g < groups.size(); ++g) squares += groups.weight[g] * space.x[g] * space.x[g];
    }
    Bits bits(key);
    Tally tally(statistic);
    for (std::uint32_t p = 0; p < permutations; ++p) {
        shuffle(space.labels, bits);
        std::size_t at = 0;
        double found = 0;
        if (numeric) {
            space.sums.assign(known.size(), 0.0);
            for (std::size_t g = 0; g < groups.size(); ++g) {
                for (const std::size_t end = at + static_cast<std::size_t>(groups.weight[g]); at < end; ++at) {
                    space.sums[space.labels[at]] += space.x[g];
                }
            }
            for (std::size_t k = 0; k < known.size(); ++k) {
                if (known[k] > 0) found += space.sums[k] * (space.sums[k] / known[k]);
            }
            found /= squares;
        } else {
            for (std::size_t g = 0; g < groups.size(); ++g) {
                space.counts.assign(known.size(), 0.0);
                for (const std::size_t end = at + static_cast<std::size_t>(groups.weight[g]); at < end; ++at) {
                    space.counts[space.labels[at]] += 1;
                }
                found += pearson_row(space.counts, groups.weight[g], known, all);
            }
        }
        tally.add(found);
    }
    return tally.out_of(permutations);
}

Simulated simulate_numbers(std::span<const double> unit_numbers, std::span<const double> group_units,
                           std::span<const double> x, double statistic, std::uint32_t permutations, std::uint64_t key,
                           std::vector<double>& room) {
    room.assign(unit_numbers.begin(), unit_numbers.end());
    double squares = 0, x_squares = 0;
    for (const double y : room) squares += y * y;
    for (std::size_t g = 0; g < x.size(); ++g) x_squares += group_units[g] * x[g] * x[g];
    Bits bits(key);
    Tally tally(statistic);
    for (std::uint32_t p = 0; p < permutations; ++p) {
        shuffle(room, bits);
        std::size_t at = 0;
        double found = 0, product = 0;
        for (std::size_t g = 0; g < group_units.size(); ++g) {
            double sum = 0;
            for (const std::size_t end = at + static_cast<std::size_t>(group_units[g]); at < end; ++at) sum += room[at];
            if (x.empty()) {
                found += sum * (sum / group_units[g]);
            } else {
                product += sum * x[g];
            }
        }
        found = x.empty() ? found / squares : product / squares * (product / x_squares);
        tally.add(found);
    }
    return tally.out_of(permutations);
}

}  // namespace boxwood
