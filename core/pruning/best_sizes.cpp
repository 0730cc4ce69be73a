#include "pruning/best_sizes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace boxwood::pruning {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

BestSizes::BestSizes(const Shape& shape, std::span<const double> risk, std::size_t most)
    : shape_(shape), given_(shape.n_nodes()) {
    const std::size_t n = shape.n_nodes();
    std::vector<std::vector<double>> best(n);  // [k]: risk of k leaves; [0] is not there
    for (std::size_t i = n; i-- > 0;) {
        if (shape.is_leaf(i)) {
            best[i] = {kInfinity, risk[i]};
            continue;
        }
        std::vector<double> together = std::move(best[shape.begin(i)]);
        for (std::size_t child = shape.begin(i) + 1; child < shape.end(i); ++child) {
            const std::vector<double> mine = std::move(best[child]);
            const std::size_t size = std::min(most, together.size() - 1 + mine.size() - 1) + 1;
            std::vector<double> joined(size, kInfinity);
            std::vector<std::int32_t> given(size, 0);
            for (std::size_t theirs = 1; theirs < together.size(); ++theirs) {
                if (together[theirs] == kInfinity) continue;
                const std::size_t last = std::min(mine.size(), size > theirs ? size - theirs : 0);
                for (std::size_t k = 1; k < last; ++k) {
                    const double sum = together[theirs] + mine[k];
                    if (sum < joined[theirs + k]) {
                        joined[theirs + k] = sum;
                        given[theirs + k] = static_cast<std::int32_t>(k);
                    }
                }
            }
            together = std::move(joined);
            given_[child] = std::move(given);
        }
        together[1] = risk[i];
        best[i] = std::move(together);
    }
    risks_.assign(best[0].begin() + 1, best[0].end());
}

std::vector<std::uint8_t> BestSizes::collapsed(std::size_t n_leaves) const {
    std::vector<std::uint8_t> out(shape_.n_nodes(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> waiting{{0, n_leaves}};
    while (!waiting.empty()) {
        auto [node, k] = waiting.back();
        waiting.pop_back();
        if (shape_.is_leaf(node)) continue;
        if (k == 1) {
            out[node] = 1;
            continue;
        }
        for (std::size_t child = shape_.end(node) - 1; child > shape_.begin(node); --child) {
            const auto mine = static_cast<std::size_t>(given_[child][k]);
            waiting.emplace_back(child, mine);
            k -= mine;
        }
        waiting.emplace_back(shape_.begin(node), k);
    }
    return out;
}

}  // namespace boxwood::pruning
