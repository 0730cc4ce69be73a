#include "search/categorical/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/categorical/share.hpp"

namespace boxwood {
namespace {

void order_by(const std::vector<double>& place, std::vector<std::uint32_t>& order) {
    order.resize(place.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return place[a] != place[b] ? place[a] < place[b] : a < b; });
}

}  // namespace

void order_by_share(const Groups& groups, std::uint16_t label, std::vector<std::uint32_t>& order,
                    std::vector<double>& share) {
    share.assign(groups.size(), 0.0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            if (groups.label[i] == label) share[g] = rounded_share(groups.count[i], groups.weight[g]);
        }
    }
    order.resize(groups.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (share[a] != share[b]) return share[a] < share[b];
        if (groups.weight[a] != groups.weight[b]) return groups.weight[a] > groups.weight[b];
        return groups.rows[a] != groups.rows[b] ? groups.rows[a] > groups.rows[b] : a < b;
    });
}

void order_by_superclass(const Groups& groups, std::span<const std::uint8_t> in, std::vector<std::uint32_t>& order) {
    std::vector<double> share(groups.size(), 0.0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        double inside = 0;
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            if (in[groups.label[i]] != 0) inside += groups.count[i];
        }
        share[g] = inside / groups.weight[g];
    }
    order_by(share, order);
}

void order_by_principal_direction(const Groups& groups, std::size_t n_classes, std::vector<std::uint32_t>& order) {
    const std::size_t n_groups = groups.size();
    std::vector<double> mean(n_classes, 0.0), direction(n_classes, 0.0), next(n_classes), place(n_groups, 0.0);
    double total = 0;
    for (std::size_t i = 0; i < groups.label.size(); ++i) {
        mean[groups.label[i]] += groups.count[i];
        total += groups.count[i];
    }
    for (double& share : mean) share /= total;
    double norm = 0;
    for (const double share : mean) norm += share * share;

    // Start from the value that lies farthest from the mean, by weight.
    std::size_t start = 0;
    double farthest = -1;
    for (std::size_t g = 0; g < n_groups; ++g) {
        double distance = norm;
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            const double share = groups.count[i] / groups.weight[g], m = mean[groups.label[i]];
            distance += share * share - 2 * share * m;
        }
        if (groups.weight[g] * distance > farthest) {
            farthest = groups.weight[g] * distance;
            start = g;
        }
    }
    for (std::size_t k = 0; k < n_classes; ++k) direction[k] = -mean[k];
    for (std::size_t i = groups.start[start]; i < groups.start[start + 1]; ++i) {
        direction[groups.label[i]] += groups.count[i] / groups.weight[start];
    }

    constexpr int kMostSteps = 100;
    constexpr double kSettled = 1e-10;
    for (int step = 0; step <= kMostSteps; ++step) {
        const double length = std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
        if (!(length > 0)) break;  // all values have the same shares: any order will do
        for (double& x : direction) x /= length;
        const double centre = std::inner_product(direction.begin(), direction.end(), mean.begin(), 0.0);
        for (std::size_t g = 0; g < n_groups; ++g) {
            double sum = 0;
            for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
                sum += groups.count[i] * direction[groups.label[i]];
            }
            place[g] = sum / groups.weight[g] - centre;
        }
        if (step == kMostSteps) break;
        // next = sum_g w_g place_g (p_g - p); the weighted places sum to zero, so p drops out.
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t g = 0; g < n_groups; ++g) {
            for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
                next[groups.label[i]] += place[g] * groups.count[i];
            }
        }
        const double scale = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
        double change = 0;
        for (std::size_t k = 0; k < n_classes && scale > 0; ++k) {
            change = std::max(change, std::fabs(next[k] / scale - direction[k]));
        }
        direction = next;
        if (change < kSettled) break;
    }
    order_by(place, order);
}

}  // namespace boxwood
