#include "search/categorical/superclass.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "search/categorical/order.hpp"

namespace boxwood {

std::vector<std::uint32_t> largest_alone(const ValueTable& table) {
    std::vector<std::uint8_t> in(table.n_classes(), 0);
    in[static_cast<std::size_t>(std::max_element(table.total.begin(), table.total.end()) - table.total.begin())] = 1;
    std::vector<std::uint32_t> order;
    order_by_superclass(table.rows, in, order);
    return order;
}

std::vector<std::uint32_t> list_scheduling(const ValueTable& table) {
    std::vector<std::uint32_t> classes(table.n_classes());
    std::iota(classes.begin(), classes.end(), 0u);
    std::stable_sort(classes.begin(), classes.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return table.total[a] > table.total[b]; });
    std::vector<std::uint8_t> in(table.n_classes(), 0);
    double inside = 0, outside = 0;
    for (const std::uint32_t k : classes) {
        in[k] = inside <= outside;
        (in[k] != 0 ? inside : outside) += table.total[k];
    }
    std::vector<std::uint32_t> order;
    order_by_superclass(table.rows, in, order);
    return order;
}

std::vector<std::uint8_t> twoing_search(Division& division, const Room& room) {
    struct Placed {
        double share;
        std::uint32_t value;
    };
    const ValueTable& table = division.table();
    const DenseTable counts = dense(table);
    const std::size_t n = table.size(), n_classes = counts.n_classes;
    std::vector<double> inside(n, 0.0);  // weight of each value's superclass: exact, whatever the order of the steps
    std::vector<Placed> placed(n);
    std::vector<std::uint32_t> order(n), best_order;
    for (std::uint32_t v = 0; v < n; ++v) placed[v] = {0.0, v};
    Prefix best;
    std::uint32_t superclass = 0;
    const std::uint32_t n_steps = n_classes < 2 ? 1 : std::uint32_t{1} << (n_classes - 1);
    for (std::uint32_t step = 1; step < n_steps; ++step) {
        const auto k = static_cast<std::size_t>(std::countr_zero(step));
        superclass ^= std::uint32_t{1} << k;
        const double sign = (superclass >> k & 1) != 0 ? 1 : -1;
        for (std::size_t v = 0; v < n; ++v) inside[v] += sign * counts.count[v * n_classes + k];
        for (Placed& one : placed) one.share = inside[one.value] / table.rows.weight[one.value];
        std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
            return a.share != b.share ? a.share < b.share : a.value < b.value;
        });
        for (std::size_t i = 0; i < n; ++i) order[i] = placed[i].value;
        const Prefix prefix = best_prefix(division, order, room);
        if (prefix.length > 0 && (best.length == 0 || prefix.worth > best.worth + division.slack())) {
            best = prefix;
            best_order = order;
        }
    }
    if (best.length == 0) return {};
    return branches_of(best_order, best.length);
}

}  // namespace boxwood
