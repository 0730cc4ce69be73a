#include "search/categorical/search.hpp"

#include <stdexcept>

#include "search/categorical/auto.hpp"
#include "search/categorical/max_cut/cut.hpp"
#include "search/categorical/order.hpp"
#include "search/categorical/pc_ext.hpp"
#include "search/categorical/sliq.hpp"
#include "search/categorical/superclass.hpp"

namespace boxwood {
namespace {

// The prefixes of an order of the values, whose groups stay together.
void try_prefixes(GroupSearch& search, std::span<const std::uint32_t> order) {
    const ValueTable& values = search.values;
    search.order.clear();
    search.joined.clear();
    for (const std::uint32_t v : order) {
        for (std::uint32_t i = values.first[v]; i < values.first[v + 1]; ++i) {
            search.order.push_back(values.member[i]);
            search.joined.push_back(i + 1 < values.first[v + 1]);
        }
    }
}

void try_one(GroupSearch& search, std::span<const std::uint8_t> branch) {
    const ValueTable& values = search.values;
    search.chosen.resize(values.member.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
        for (std::uint32_t i = values.first[v]; i < values.first[v + 1]; ++i)
            search.chosen[values.member[i]] = branch[v];
    }
}

// Is the grouping a prefix of the order, or the rest of one?
bool is_prefix(std::span<const std::uint32_t> order, std::span<const std::uint8_t> branch) {
    std::size_t changes = 0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) changes += branch[order[i]] != branch[order[i + 1]];
    return changes <= 1;
}

void try_share_prefixes(GroupSearch& search, const Groups& groups, std::uint16_t label, bool join) {
    order_by_share(groups, label, search.order, search.share);
    search.joined.clear();
    if (!join || groups.size() < 2 || search.share[search.order.front()] == search.share[search.order.back()]) return;
    search.joined.resize(groups.size(), 0);
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
        search.joined[i] = search.share[search.order[i]] == search.share[search.order[i + 1]];
    }
}

std::vector<std::uint8_t> one_grouping(const ValueTable& values, const GroupRequest& request) {
    Division division(values, request.measure);
    switch (request.method) {
        case CategorySplit::kTwoing: return twoing_search(division, request.room);
        case CategorySplit::kSliq: return sliq(division);
        case CategorySplit::kPcExt: {
            std::vector<std::uint32_t> order;
            order_by_principal_direction(values.rows, values.n_classes(), order);
            return pc_ext(division, order, request.room);
        }
        default: break;
    }
    const DenseTable counts = dense(values);
    const bool chi2 = request.method == CategorySplit::kChi2 || request.method == CategorySplit::kChi2Sdp;
    const bool relaxed = request.method == CategorySplit::kSquaredGiniSdp || request.method == CategorySplit::kChi2Sdp;
    std::vector<double> mixing;
    if (!request.mixing.empty()) {
        for (const std::uint16_t x : counts.label) {
            for (const std::uint16_t y : counts.label) mixing.push_back(request.mixing[x * values.n_classes() + y]);
        }
    }
    return heavy_cut(chi2 ? chi2_weights(counts) : squared_gini_weights(counts, mixing), relaxed);
}

}  // namespace

void GroupSearch::branches(std::uint32_t at, std::size_t n_groups, std::vector<std::uint8_t>& branch) const {
    branch.resize(n_groups);
    if (grouping == Grouping::kSubset) {
        for (std::size_t v = 0; v < values.size(); ++v) {
            const std::uint8_t side = (at >> v & 1) != 0 ? 0 : 1;
            for (std::uint32_t i = values.first[v]; i < values.first[v + 1]; ++i) branch[values.member[i]] = side;
        }
    } else if (grouping == Grouping::kAlone) {
        branch.assign(n_groups, 1);
        branch[at] = 0;
    } else if (at == n_groups && !chosen.empty()) {
        branch = chosen;
    } else {
        for (std::size_t i = 0; i < n_groups; ++i) branch[order[i]] = i < at ? 0 : 1;
    }
}

void prepare(GroupSearch& search, const Groups& groups, std::span<const double> total, const GroupRequest& request) {
    std::size_t present = 0;
    std::uint16_t last = 0;
    for (std::size_t k = 0; k < total.size(); ++k) {
        if (total[k] > 0) {
            ++present;
            last = static_cast<std::uint16_t>(k);
        }
    }
    search.grouping = Grouping::kPrefix;
    search.only_prefix = 0;
    search.order.clear();
    search.joined.clear();
    search.chosen.clear();
    const bool free = !request.room.binds() && !request.constrained;
    const bool concave = request.concave;
    const auto method = request.method;
    if (method == CategorySplit::kMultiway || method == CategorySplit::kOneVsRest) {
        throw std::invalid_argument("not a search for a grouping");
    }
    const bool exact_kind = method == CategorySplit::kAuto || method == CategorySplit::kExact;
    if (method == CategorySplit::kOrdered || (method == CategorySplit::kAuto && present <= 2)) {
        try_share_prefixes(search, groups, last, free && concave);
        return;
    }
    ValueTable& values = search.values;
    const auto fill = [&](bool join) {
        values.fill(groups, total.size(), join);
        if (join && values.size() == 1) values.fill(groups, total.size(), false);
    };
    const auto principal = [&] {
        std::vector<std::uint32_t> order;
        order_by_principal_direction(values.rows, total.size(), order);
        return order;
    };
    if (exact_kind) {
        fill(free && concave);
        if (values.size() <= (method == CategorySplit::kExact ? kMostExactValues : kAutoExactValues)) {
            search.grouping = Grouping::kSubset;
            return;
        }
        if (method == CategorySplit::kExact)
            throw std::invalid_argument("more than 20 categories cannot be tried exactly");
        const std::vector<std::uint32_t> order = principal();
        try_prefixes(search, order);
        const auto branch = best_of_searches(values, request.measure, order, request.room);
        if (!branch.empty() && !is_prefix(order, branch)) try_one(search, branch);
        return;
    }
    switch (method) {
        case CategorySplit::kPc:
            fill(free);
            try_prefixes(search, principal());
            return;
        case CategorySplit::kLargestAlone:
            fill(free);
            try_prefixes(search, largest_alone(values));
            return;
        case CategorySplit::kListScheduling:
            fill(free);
            try_prefixes(search, list_scheduling(values));
            return;
        case CategorySplit::kSliqExt: {
            fill(free);
            Division division(values, request.measure);
            try_prefixes(search, sliq_order(division));
            return;
        }
        default: break;
    }
    fill(true);
    if (values.size() > 1) {
        const auto branch = one_grouping(values, request);
        if (!branch.empty()) {
            std::int64_t rows = 0;
            double weight = 0;
            for (std::size_t v = 0; v < values.size(); ++v) {
                if (branch[v] != 0) continue;
                rows += values.rows.rows[v];
                weight += values.rows.weight[v];
            }
            if (request.room.allows(rows, weight)) {
                try_one(search, branch);
                search.only_prefix = GroupSearch::kNoPrefix;
                return;
            }
        }
    }
    // The minimum leaf size forbids the grouping.
    if (present <= 2) {
        try_share_prefixes(search, groups, last, false);
    } else {
        values.fill(groups, total.size(), false);
        try_prefixes(search, principal());
    }
}

}  // namespace boxwood
