#include "search/categorical/polish.hpp"

namespace boxwood {

void polish(Division& division, const Room& room) {
    const ValueTable& table = division.table();
    const std::size_t n = table.size();
    double now = division.worth();
    for (std::size_t round = 0; round < n; ++round) {
        std::size_t best = n;
        double worth = now;
        for (std::size_t v = 0; v < n; ++v) {
            const double sign = division.left(v) ? -1 : 1;
            if (!room.allows(division.left_rows() + static_cast<std::int64_t>(sign) * table.rows.rows[v],
                             division.left_weight() + sign * table.rows.weight[v])) {
                continue;
            }
            const double after = division.worth_after(v);
            if (!(after > worth + division.slack())) continue;
            best = v;
            worth = after;
        }
        if (best == n) return;
        division.flip(best);
        now = worth;
    }
}

}  // namespace boxwood
