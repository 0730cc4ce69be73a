#include "search/categorical/sliq.hpp"

namespace boxwood {
namespace {

// The value on the right that is worth most on the left; the number of values if the last one is asked for.
std::size_t next_value(const Division& division, double& worth) {
    const std::size_t n = division.table().size();
    std::size_t best = n;
    for (std::size_t v = 0; v < n; ++v) {
        if (division.left(v)) continue;
        const double after = division.worth_after(v);
        if (best < n && !(after > worth + division.slack())) continue;
        best = v;
        worth = after;
    }
    return best;
}

}  // namespace

std::vector<std::uint8_t> sliq(Division& division) {
    division.clear();
    double now = 0;
    for (std::size_t moved = 0; moved + 1 < division.table().size(); ++moved) {
        double worth = 0;
        const std::size_t v = next_value(division, worth);
        if (moved > 0 && !(worth > now + division.slack())) break;
        division.flip(v);
        now = worth;
    }
    return division.branch();
}

std::vector<std::uint32_t> sliq_order(Division& division) {
    division.clear();
    std::vector<std::uint32_t> order;
    for (std::size_t moved = 0; moved < division.table().size(); ++moved) {
        double worth = 0;
        order.push_back(static_cast<std::uint32_t>(next_value(division, worth)));
        division.flip(order.back());
    }
    return order;
}

}  // namespace boxwood
