#include "search/categorical/pc_ext.hpp"

namespace boxwood {

std::vector<std::uint8_t> pc_ext(Division& division, std::span<const std::uint32_t> order, const Room& room) {
    const Groups& rows = division.table().rows;
    division.clear();
    std::size_t length = 0;
    bool exchanged = false;
    double best = 0;
    const auto offer = [&](double worth, std::size_t size, bool exchange) {
        if (length > 0 && !(worth > best + division.slack())) return;
        length = size;
        exchanged = exchange;
        best = worth;
    };
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const std::uint32_t last = order[i], next = order[i + 1];
        const std::int64_t without_rows = division.left_rows();
        const double without = division.left_weight();
        const double other = division.worth_after(next);
        division.flip(last);
        if (room.allows(division.left_rows(), division.left_weight())) offer(division.worth(), i + 1, false);
        if (order.size() > 2 && room.allows(without_rows + rows.rows[next], without + rows.weight[next])) {
            offer(other, i + 1, true);
        }
    }
    if (length == 0) return {};
    std::vector<std::uint8_t> branch = branches_of(order, length);
    if (exchanged) {
        branch[order[length - 1]] = 1;
        branch[order[length]] = 0;
    }
    return branch;
}

}  // namespace boxwood
