#include "search/categorical/multiway.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace boxwood {
namespace {

double share_difference(std::span<const double> a, double a_weight, std::span<const double> b, double b_weight,
                        double total_weight) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += std::fabs(a[k] * b_weight - b[k] * a_weight);
    return sum / total_weight * (sum / total_weight) / (a_weight * b_weight);
}

std::size_t count_present(std::span<const double> counts) {
    return static_cast<std::size_t>(std::count_if(counts.begin(), counts.end(), [](double c) { return c > 0; }));
}

}  // namespace

const std::vector<Multiway::Placed>& Multiway::list(const Measure& measure, const Groups& groups,
                                                    const MultiwayNode& node) {
    placed_.clear();
    if (groups.size() < 2) return placed_;
    // Only the missing rows can make up for a group that is too small, and only for one.
    const auto ones = [&](std::size_t g) {
        double sum = 0;
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            if (groups.label[i] == 1) sum = groups.count[i];
        }
        return sum;
    };
    std::size_t n_refused = 0;
    std::uint32_t refused = 0;
    for (std::uint32_t g = 0; g < groups.size() && n_refused < 2; ++g) {
        if (allows(node, groups.rows[g], groups.weight[g], ones(g))) continue;
        ++n_refused;
        refused = g;
    }
    const double missing_ones = node.missing_rows > 0 && node.missing.size() > 1 ? node.missing[1] : 0.0;
    if (node.missing_rows == 0 || node.own_branch) {
        if (n_refused > 0) return placed_;
        if (node.own_branch && !allows(node, node.missing_rows, node.missing_weight, missing_ones)) return placed_;
        placed_.push_back({0, node.own_branch ? Side::kOwn : Side::kNone, 0.0});
    } else if (n_refused < 2) {
        for (std::uint32_t g = 0; g < groups.size(); ++g) {
            if (n_refused == 1 && g != refused) continue;
            if (allows(node, groups.rows[g] + node.missing_rows, groups.weight[g] + node.missing_weight,
                       ones(g) + missing_ones)) {
                placed_.push_back({g, Side::kRight, 0.0});
            }
        }
    }
    if (!placed_.empty()) weigh(measure, groups, node);
    if (placed_.size() > 1) order_ties(groups, node.total.size());
    return placed_;
}

void Multiway::order_ties(const Groups& groups, std::size_t n_classes) {
    double best = placed_.front().merit;
    for (const Placed& placed : placed_) best = std::max(best, placed.merit);
    const double least = best - 1e-9 * std::fabs(best);  // beyond all tolerances: else their order does not matter
    const auto ties = std::count_if(placed_.begin(), placed_.end(), [&](const Placed& p) { return p.merit >= least; });
    if (ties < 2) return;
    values_.fill(groups, n_classes, false);
    std::vector<std::uint32_t> place(groups.size());
    for (std::uint32_t i = 0; i < groups.size(); ++i) place[values_.member[i]] = i;
    std::sort(placed_.begin(), placed_.end(),
              [&](const Placed& a, const Placed& b) { return place[a.at] < place[b.at]; });
}

bool Multiway::allows(const MultiwayNode& node, std::int64_t rows, double weight, double ones) const {
    return node.minimum.allows(rows, weight) && node.lower <= ones / weight && ones / weight <= node.upper;
}

void Multiway::weigh(const Measure& measure, const Groups& groups, const MultiwayNode& node) {
    if (measure.kind == Criterion::kHellinger) {
        weigh_distances(groups, node);
    } else if (measure.kind == Criterion::kTwoing && count_present(node.total) > 2) {
        weigh_pairs(groups, node);
    } else {
        weigh_parts(measure, groups, node);
    }
}

// The class counts of a group, and of `with`.
void Multiway::fill(const Groups& groups, std::size_t g, std::span<const double> with) {
    if (with.empty()) {
        std::fill(counts_.begin(), counts_.end(), 0.0);
    } else {
        counts_.assign(with.begin(), with.end());
    }
    for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) counts_[groups.label[i]] += groups.count[i];
}

void Multiway::weigh_parts(const Measure& measure, const Groups& groups, const MultiwayNode& node) {
    // With two classes, the part of Gini is twice that of Twoing.
    const double factor = measure.kind == Criterion::kTwoing ? 0.5 : 1.0;
    const auto part = [&](std::span<const double> counts, double weight) {
        return factor * gain_part(measure, counts, weight, node.total, node.weight);
    };
    counts_.assign(node.total.size(), 0.0);
    part_.resize(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        fill(groups, g, {});
        part_[g] = part(counts_, groups.weight[g]);
    }
    double sum = gain_base(measure, node.total, node.weight) + std::accumulate(part_.begin(), part_.end(), 0.0);
    if (node.own_branch) sum += part(node.missing, node.missing_weight);
    for (Placed& placed : placed_) {
        placed.merit = sum;
        if (placed.side != Side::kRight) continue;
        fill(groups, placed.at, node.missing);
        placed.merit += part(counts_, groups.weight[placed.at] + node.missing_weight) - part_[placed.at];
    }
}

void Multiway::weigh_pairs(const Groups& groups, const MultiwayNode& node) {
    const std::size_t n_classes = node.total.size(), n = groups.size();
    std::vector<double> dense(n * n_classes, 0.0);
    for (std::size_t g = 0; g < n; ++g) {
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            dense[g * n_classes + groups.label[i]] = groups.count[i];
        }
    }
    const auto row = [&](std::size_t g) { return std::span<const double>(dense.data() + g * n_classes, n_classes); };
    // The sum over the pairs of a branch and all groups but one.
    const auto against = [&](std::span<const double> counts, double weight, std::size_t begin, std::size_t but) {
        double sum = 0;
        for (std::size_t g = begin; g < n; ++g) {
            if (g != but) sum += share_difference(counts, weight, row(g), groups.weight[g], node.weight);
        }
        return sum;
    };
    double sum = 0;
    for (std::size_t g = 0; g < n; ++g) sum += against(row(g), groups.weight[g], g + 1, n);
    if (node.own_branch) sum += against(node.missing, node.missing_weight, 0, n);
    counts_.assign(n_classes, 0.0);
    for (Placed& placed : placed_) {
        placed.merit = sum / 4;
        if (placed.side != Side::kRight) continue;
        const std::size_t at = placed.at;
        fill(groups, at, node.missing);
        placed.merit += (against(counts_, groups.weight[at] + node.missing_weight, 0, at) -
                         against(row(at), groups.weight[at], 0, at)) /
                        4;
    }
}

void Multiway::weigh_distances(const Groups& groups, const MultiwayNode& node) {
    const std::size_t n_classes = node.total.size(), n_present = count_present(node.total);
    const auto distance = [&](std::size_t k, double count, double weight) {
        const double in = node.total[k], out = node.weight - in;
        const double difference = std::sqrt(count / in) - std::sqrt((weight - count) / out);
        return difference * difference;
    };
    // With two classes present, the second of them tells all; see criterion.hpp.
    std::size_t first = 0;
    if (n_present == 2) {
        first = n_classes;
        while (!(node.total[--first] > 0)) {
        }
    }
    const auto counts_class = [&](std::size_t k) { return k >= first && node.total[k] > 0; };
    part_.assign(n_classes, 0.0);
    counts_.assign(n_classes, 0.0);
    const auto add = [&](std::span<const double> counts, double weight, double sign) {
        for (std::size_t k = first; k < n_classes; ++k) {
            if (counts_class(k)) part_[k] += sign * distance(k, counts[k], weight);
        }
    };
    for (std::size_t g = 0; g < groups.size(); ++g) {
        fill(groups, g, {});
        add(counts_, groups.weight[g], 1);
    }
    if (node.own_branch) add(node.missing, node.missing_weight, 1);
    const auto mean = [&](auto squared) {
        double sum = 0;
        for (std::size_t k = first; k < n_classes; ++k) {
            if (counts_class(k)) sum += std::sqrt(std::max(0.0, squared(k)));
        }
        return n_present < 2 ? 0.0 : n_present == 2 ? sum : sum / static_cast<double>(n_present);
    };
    std::vector<double> alone(n_classes, 0.0);
    for (Placed& placed : placed_) {
        if (placed.side != Side::kRight) {
            placed.merit = mean([&](std::size_t k) { return part_[k]; });
            continue;
        }
        const double weight = groups.weight[placed.at];
        std::fill(alone.begin(), alone.end(), 0.0);
        for (std::size_t i = groups.start[placed.at]; i < groups.start[placed.at + 1]; ++i) {
            alone[groups.label[i]] = groups.count[i];
        }
        fill(groups, placed.at, node.missing);
        placed.merit = mean([&](std::size_t k) {
            return part_[k] + (distance(k, counts_[k], weight + node.missing_weight) - distance(k, alone[k], weight));
        });
    }
}

}  // namespace boxwood
