#include "search/categorical/auto.hpp"

#include <algorithm>

#include "search/categorical/max_cut/cut.hpp"
#include "search/categorical/pc_ext.hpp"
#include "search/categorical/polish.hpp"
#include "search/categorical/superclass.hpp"

namespace boxwood {

std::vector<std::uint8_t> best_of_searches(const ValueTable& values, const Measure& measure,
                                           std::span<const std::uint32_t> principal, const Room& room) {
    const auto present = static_cast<std::size_t>(
        std::count_if(values.total.begin(), values.total.end(), [](double c) { return c > 0; }));
    double rows = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
        rows += std::max(static_cast<double>(values.rows.rows[v]), values.rows.weight[v]);
    }
    const auto n = static_cast<double>(values.size());
    if (n * static_cast<double>(present) > kAutoWork * rows) return {};
    Division division(values, measure);
    std::vector<std::uint8_t> best;
    double most = 0;
    const auto offer = [&](const std::vector<std::uint8_t>& branch) {
        if (branch.empty()) return;
        division.set(branch);
        if (!room.allows(division.left_rows(), division.left_weight())) return;
        polish(division, room);
        const double worth = division.worth();
        if (!best.empty() && !(worth > most + division.slack())) return;
        best = division.branch();
        most = worth;
    };
    if (present <= kAutoTwoingClasses && values.size() << (present - 1) <= kAutoTwoingWork) {
        offer(twoing_search(division, room));
    } else {
        offer(pc_ext(division, principal, room));
        for (const auto& order : {largest_alone(values), list_scheduling(values)}) {
            const Prefix prefix = best_prefix(division, order, room);
            if (prefix.length > 0) offer(branches_of(order, prefix.length));
        }
        if (values.size() <= kAutoCutValues && n * n * static_cast<double>(present) <= kAutoCutWork * rows) {
            const DenseTable counts = dense(values);
            SearchLimit limit = usual_limit(values.size());
            limit.exchanges = std::min(limit.exchanges, kAutoExchanges);
            offer(heavy_cut(chi2_weights(counts), false, limit));
            offer(heavy_cut(squared_gini_weights(counts, {}), false, limit));
        }
    }
    return best;
}

}  // namespace boxwood
