#include "search/categorical/one_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "search/categorical/search.hpp"

namespace boxwood {
namespace {

struct Whole {
    std::vector<double> total;
    double weight = 0;
};

Whole whole_of(const Groups& groups, std::size_t n_classes) {
    Whole whole{std::vector<double>(n_classes, 0.0), 0};
    for (std::size_t i = 0; i < groups.label.size(); ++i) whole.total[groups.label[i]] += groups.count[i];
    for (const double w : groups.weight) whole.weight += w;
    return whole;
}

// Calls use(at, left, weight) for each grouping until it returns true.
template <class Use>
void each_grouping(const GroupSearch& search, const Groups& groups, std::size_t n_classes, Use use) {
    std::vector<double> left(n_classes, 0.0);
    double weight = 0;
    const auto move = [&](const Groups& from, std::size_t g, double sign) {
        for (std::size_t i = from.start[g]; i < from.start[g + 1]; ++i) left[from.label[i]] += sign * from.count[i];
        weight += sign * from.weight[g];
    };
    if (search.grouping == Grouping::kSubset) {
        each_subset(search.values.size(), [&](std::uint32_t subset, std::size_t v, bool enters) {
            move(search.values.rows, v, enters ? 1 : -1);
            return use(subset, left, weight);
        });
        return;
    }
    for (std::uint32_t i = 0; i + 1 < groups.size() && search.only_prefix != GroupSearch::kNoPrefix; ++i) {
        move(groups, search.order[i], 1);
        if (search.looks_at(i + 1) && use(i + 1, left, weight)) return;
    }
    if (search.chosen.empty()) return;
    std::fill(left.begin(), left.end(), 0.0);
    weight = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (search.chosen[g] == 0) move(groups, g, 1);
    }
    use(static_cast<std::uint32_t>(groups.size()), left, weight);
}

GroupSearch searched(const Groups& groups, const Whole& whole, const Measure& measure, CategorySplit method,
                     std::span<const double> mixing) {
    if (groups.size() < 2) throw std::invalid_argument("a table of one value cannot be divided");
    GroupRequest request;
    request.method = method;
    request.measure = measure;
    request.concave = measure.rule(whole.total.size()) == CutRule::kBoundaries;
    request.mixing = mixing;
    request.room.known = whole.weight;
    for (const std::int64_t rows : groups.rows) request.room.known_rows += rows;
    GroupSearch search;
    prepare(search, groups, whole.total, request);
    return search;
}

void put_first_left(std::vector<std::uint8_t>& branch) {
    if (branch[0] == 0) return;
    for (auto& b : branch) b = b != 0 ? 0 : 1;
}

}  // namespace

Groups groups_of_table(std::span<const double> counts, std::size_t n_classes) {
    Groups groups;
    for (std::size_t v = 0; v * n_classes < counts.size(); ++v) {
        bool some = false;
        for (std::size_t k = 0; k < n_classes; ++k) {
            const double c = counts[v * n_classes + k];
            if (!(c >= 0) || c > std::numeric_limits<double>::max()) {
                throw std::invalid_argument("counts must be finite and not negative");
            }
            if (c > 0) groups.add(static_cast<std::uint16_t>(k), c);
            some |= c > 0;
        }
        if (!some) throw std::invalid_argument("a value has no weight");
        groups.close(static_cast<std::int32_t>(v), 1);
    }
    return groups;
}

OneTable split_one_table(const Groups& groups, std::size_t n_classes, const Measure& measure, CategorySplit method,
                         std::span<const double> mixing) {
    const Whole whole = whole_of(groups, n_classes);
    const GroupSearch search = searched(groups, whole, measure, method, mixing);
    std::vector<double> right(n_classes);
    const auto branches_at = [&](const std::vector<double>& left, double weight) {
        for (std::size_t k = 0; k < n_classes; ++k) right[k] = whole.total[k] - left[k];
        return Branches{2, {left, right, {}}, {weight, whole.weight - weight, 0}};
    };
    double best = -std::numeric_limits<double>::infinity();
    const auto merit_at = [&](const std::vector<double>& left, double weight) {
        return merit(measure, branches_at(left, weight), whole.total, whole.weight);
    };
    each_grouping(search, groups, n_classes, [&](std::uint32_t, const std::vector<double>& left, double weight) {
        best = std::max(best, merit_at(left, weight));
        return false;
    });
    const double least = best - 1e-12 * impurity(measure, whole.total, whole.weight);
    OneTable found;
    each_grouping(search, groups, n_classes, [&](std::uint32_t at, const std::vector<double>& left, double weight) {
        const double value = merit_at(left, weight);
        if (value < least) return false;
        const Branches branches = branches_at(left, weight);
        for (std::size_t b = 0; b < 2; ++b) {
            found.impurity +=
                branches.weight[b] / whole.weight * impurity(measure, branches.counts[b], branches.weight[b]);
        }
        found.merit = value;
        search.branches(at, groups.size(), found.branch);
        return true;
    });
    put_first_left(found.branch);
    return found;
}

std::vector<std::uint8_t> groupings_of_one_table(const Groups& groups, std::size_t n_classes, const Measure& measure,
                                                 CategorySplit method) {
    const Whole whole = whole_of(groups, n_classes);
    const GroupSearch search = searched(groups, whole, measure, method, {});
    std::vector<std::uint8_t> out, branch;
    each_grouping(search, groups, n_classes, [&](std::uint32_t at, const std::vector<double>&, double) {
        search.branches(at, groups.size(), branch);
        put_first_left(branch);
        out.insert(out.end(), branch.begin(), branch.end());
        return false;
    });
    return out;
}

}  // namespace boxwood
