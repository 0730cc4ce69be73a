#include "search/categorical/polish.hpp"

namespace boxwood {
namespace {

constexpr std::size_t kMostRounds = 100;  // a handful is usual

}  // namespace

void polish(Division& division, const Room& room) {
    const ValueTable& table = division.table();
    const std::size_t n = table.size();
    double now = division.worth();
    // The values that stay are counted: when all have stayed since the last move, no move helps.
    std::size_t stayed = 0;
    for (std::size_t step = 0; stayed < n && step < kMostRounds * n; ++step) {
        const std::size_t v = step % n;
        ++stayed;
        const double sign = division.left(v) ? -1 : 1;
        if (!room.allows(division.left_rows() + static_cast<std::int64_t>(sign) * table.rows.rows[v],
                         division.left_weight() + sign * table.rows.weight[v])) {
            continue;
        }
        const double after = division.worth_after(v);
        if (!(after > now + division.slack())) continue;
        division.flip(v);
        now = after;
        stayed = 0;
    }
}

}  // namespace boxwood
