#include "search/categorical/values.hpp"

#include <algorithm>
#include <numeric>

#include "search/categorical/share.hpp"

namespace boxwood {

void ValueTable::fill(const Groups& groups, std::size_t n_classes, bool join_equal_shares) {
    const std::size_t n = groups.size();
    share_.resize(groups.count.size());
    key_.resize(n);
    order_.resize(n);
    total.assign(n_classes, 0.0);
    weight = 0;
    n_rows = 0;
    for (std::size_t g = 0; g < n; ++g) {
        for (std::size_t i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            share_[i] = rounded_share(groups.count[i], groups.weight[g]);
            total[groups.label[i]] += groups.count[i];
        }
        key_[g] = groups.label[groups.start[g]] + 0.5 * (1 - share_[groups.start[g]]);
        weight += groups.weight[g];
        n_rows += groups.rows[g];
    }
    // -1, 0 or 1: how the shares of two groups compare.
    const auto compare = [&](std::uint32_t a, std::uint32_t b) {
        const std::size_t na = groups.start[a + 1] - groups.start[a], nb = groups.start[b + 1] - groups.start[b];
        for (std::size_t i = 0; i < std::min(na, nb); ++i) {
            const std::size_t at = groups.start[a] + i, bt = groups.start[b] + i;
            if (groups.label[at] != groups.label[bt]) return groups.label[at] < groups.label[bt] ? -1 : 1;
            if (share_[at] != share_[bt]) return share_[at] > share_[bt] ? -1 : 1;
        }
        return na == nb ? 0 : na < nb ? -1 : 1;
    };
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (key_[a] != key_[b]) return key_[a] < key_[b];
        if (const int order = compare(a, b); order != 0) return order < 0;
        if (groups.weight[a] != groups.weight[b]) return groups.weight[a] > groups.weight[b];
        if (groups.rows[a] != groups.rows[b]) return groups.rows[a] > groups.rows[b];
        for (std::size_t i = 0; i < groups.start[a + 1] - groups.start[a]; ++i) {
            const double ca = groups.count[groups.start[a] + i], cb = groups.count[groups.start[b] + i];
            if (ca != cb) return ca > cb;
        }
        return a < b;
    });
    rows.clear();
    member.assign(order_.begin(), order_.end());
    first.assign(1, 0);
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
        const std::uint32_t g = order_[begin];
        end = begin + 1;
        while (join_equal_shares && end < n && key_[order_[end]] == key_[g] && compare(g, order_[end]) == 0) ++end;
        std::int64_t n_here = 0;
        for (std::size_t i = begin; i < end; ++i) n_here += groups.rows[order_[i]];
        for (std::size_t at = 0; at < groups.start[g + 1] - groups.start[g]; ++at) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += groups.count[groups.start[order_[i]] + at];
            rows.add(groups.label[groups.start[g] + at], sum);
        }
        rows.close(static_cast<std::int32_t>(rows.size()), n_here);
        first.push_back(static_cast<std::uint32_t>(end));
    }
}

DenseTable dense(const ValueTable& table) {
    DenseTable out;
    std::vector<std::uint16_t> place(table.n_classes());
    for (std::size_t k = 0; k < table.n_classes(); ++k) {
        if (!(table.total[k] > 0)) continue;
        place[k] = static_cast<std::uint16_t>(out.label.size());
        out.label.push_back(static_cast<std::uint16_t>(k));
    }
    out.n_values = table.size();
    out.n_classes = out.label.size();
    out.count.assign(out.n_values * out.n_classes, 0.0);
    for (std::size_t v = 0; v < table.size(); ++v) {
        for (std::size_t i = table.rows.start[v]; i < table.rows.start[v + 1]; ++i) {
            out.count[v * out.n_classes + place[table.rows.label[i]]] = table.rows.count[i];
        }
    }
    return out;
}

}  // namespace boxwood
