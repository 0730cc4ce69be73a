#include "grow/regression/scan.hpp"

#include "simd.hpp"

namespace boxwood {

namespace {

constexpr std::size_t kGroup = 16;  // cuts that share a bound

// The sums of the tags of full groups, and of how far they are from a whole number near their mean.
BOXWOOD_CLONES void add_tags(const Item<std::uint32_t>* items, std::size_t n_groups, std::int32_t mask,
                             std::int32_t near_mean, std::int32_t* sums, std::int32_t* ways) {
    for (std::size_t group = 0; group < n_groups; ++group) {
        std::int32_t sum = 0, way = 0;
        for (std::size_t i = 0; i < kGroup; ++i) {
            const std::int32_t tag = static_cast<std::int32_t>(items[group * kGroup + i].rank) & mask;
            const std::int32_t off = tag - near_mean;
            sum += tag;
            way += off < 0 ? -off : off;
        }
        sums[group] = sum;
        ways[group] = way;
    }
}

}  // namespace

BOXWOOD_CLONES double highest_of_block(const double* sum, double left, double weight) {
    std::array<double, kLanes> highest{};
    for (std::size_t j = 0; j < kBlock; j += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const double l = left + static_cast<double>(static_cast<std::int32_t>(j + k));
            const double value = sum[j + k] * sum[j + k] * (weight / (l * (weight - l)));
            highest[k] = value > highest[k] ? value : highest[k];
        }
    }
    double most = 0;
    for (const double value : highest) most = value > most ? value : most;
    return most;
}

BOXWOOD_CLONES double widest_of_block(const double* sum) {
    std::array<double, kLanes> widest{};
    for (std::size_t j = 0; j < kBlock; j += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const double square = sum[j + k] * sum[j + k];
            widest[k] = square > widest[k] ? square : widest[k];
        }
    }
    double most = 0;
    for (const double value : widest) most = value > most ? value : most;
    return most;
}

BOXWOOD_CLONES void centre_block(const std::int64_t* sum, double left, double drift, double* d) {
    for (std::size_t i = 0; i < kBlock; ++i) {
        d[i] = static_cast<double>(sum[i]) - drift * (left + static_cast<double>(static_cast<std::int32_t>(i)));
    }
}

BOXWOOD_CLONES double highest_by_factors(const std::int64_t* sum, const double* drift, const double* factor,
                                         std::size_t n) {
    const std::size_t end = (n + kLanes - 1) / kLanes * kLanes;
    double most = 0;
#pragma omp simd reduction(max : most) simdlen(kLanes)
    for (std::size_t i = 0; i < end; ++i) {
        const double d = static_cast<double>(sum[i]) - drift[i];
        const double value = d * d * factor[i];
        most = value > most ? value : most;
    }
    return most;
}

double bound_by_tags(std::span<const Item<std::uint32_t>> items, std::int64_t total, int bits, double step) {
    constexpr std::size_t kGroups = 64;  // added up at once
    const std::size_t n = items.size();
    const auto weight = static_cast<double>(n);
    const double mean = static_cast<double>(total) / weight;
    const auto near_mean = static_cast<std::int32_t>(mean);
    const std::int32_t mask = (std::int32_t{1} << bits) - 1;
    std::array<std::int32_t, kGroups> sums{}, ways{};
    std::int64_t sum = 0;
    double most = 0;  // of S^2 / (l r)
    const auto bound_group = [&](std::size_t begin, std::size_t end, std::int32_t group_sum, std::int32_t group_way) {
        const double left = static_cast<double>(begin), right = static_cast<double>(end);
        const double start = static_cast<double>(sum) - mean * left;
        sum += group_sum;
        const double stop = static_cast<double>(sum) - mean * right;
        const double way = static_cast<double>(group_way) + (right - left);  // the mean is less than one off
        const double detour = (way - std::fabs(stop - start)) / 2;
        const double extreme = std::max(std::fabs(start), std::fabs(stop)) + detour;
        const double last = std::min(right, weight - 1);  // no cut follows the last row
        const double least = std::min((left + 1) * (weight - left - 1), last * (weight - last));
        if (extreme * extreme > most * least) most = extreme * extreme / least;
    };
    std::size_t begin = 0;
    while (begin + kGroup <= n) {
        const std::size_t n_groups = std::min((n - begin) / kGroup, kGroups);
        add_tags(items.data() + begin, n_groups, mask, near_mean, sums.data(), ways.data());
        for (std::size_t group = 0; group < n_groups; ++group, begin += kGroup) {
            bound_group(begin, begin + kGroup, sums[group], ways[group]);
        }
    }
    if (begin + 1 < n) {
        std::int32_t rest = 0, way = 0;
        for (std::size_t i = begin; i < n; ++i) {
            const std::int32_t tag = static_cast<std::int32_t>(items[i].rank) & mask;
            rest += tag;
            way += std::abs(tag - near_mean);
        }
        bound_group(begin, n, rest, way);
    }
    const double root = step * (std::sqrt(most * weight) + std::sqrt(weight) / 2);
    return root * root * (1 + 1e-9);
}

}  // namespace boxwood
