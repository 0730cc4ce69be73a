#include "search/categorical/max_cut/local_search.hpp"

#include <algorithm>
#include <numeric>

namespace boxwood {

void improve_cut(const Graph& graph, std::vector<std::uint8_t>& side, SearchLimit limit) {
    const std::size_t n = graph.n;
    if (n < 2) return;
    std::vector<double> gain(n, 0.0);
    double all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            gain[i] += side[i] == side[j] ? graph(i, j) : -graph(i, j);
            all += graph(i, j);
        }
    }
    const double slack = 1e-13 * all;  // what rounding may feign
    std::size_t n_ones = static_cast<std::size_t>(std::count(side.begin(), side.end(), std::uint8_t{1}));
    const auto move = [&](std::size_t i) {
        const std::uint8_t before = side[i];
        n_ones = before != 0 ? n_ones - 1 : n_ones + 1;
        side[i] = before != 0 ? 0 : 1;
        gain[i] = -gain[i];
        const double* row = graph.row(i);
        for (std::size_t j = 0; j < n; ++j) {
            if (j != i) gain[j] += side[j] == before ? -2 * row[j] : 2 * row[j];
        }
    };
    while (true) {
        while (limit.moves > 0) {
            std::size_t best = n;
            double most = slack;
            for (std::size_t i = 0; i < n; ++i) {
                if (gain[i] > most && (side[i] != 0 ? n_ones : n - n_ones) > 1) {
                    most = gain[i];
                    best = i;
                }
            }
            if (best == n) break;
            move(best);
            --limit.moves;
        }
        if (limit.moves == 0 || limit.exchanges == 0) return;
        std::size_t one = n, other = n;
        double most = slack;
        for (std::size_t i = 0; i < n; ++i) {
            const double* row = graph.row(i);
            for (std::size_t j = i + 1; j < n; ++j) {
                if (side[i] == side[j]) continue;
                const double both = gain[i] + gain[j] + 2 * row[j];
                if (both > most) {
                    most = both;
                    one = i;
                    other = j;
                }
            }
        }
        if (one == n) return;
        // The first move may empty a side for a moment.
        move(one);
        move(other);
        --limit.exchanges;
    }
}

}  // namespace boxwood
