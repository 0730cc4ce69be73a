#include "optimal/reference.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace boxwood::optimal {
namespace {

using Rows = std::vector<std::int32_t>;
using Profile = std::vector<Cost>;  // place l - 1: exactly l leaves

// The cost of the best answer: by a cost matrix, or the weight outside the heaviest class.
template <bool kMatrix>
struct Leaf {
    const Problem& problem;

    std::pair<Cost, std::int32_t> best(const Rows& rows) const {
        std::vector<std::int64_t> weight(problem.n_classes, 0);
        for (const std::int32_t row : rows) {
            const auto at = static_cast<std::size_t>(row);
            weight[static_cast<std::size_t>(problem.target[at])] += problem.weights.empty() ? 1 : problem.weights[at];
        }
        std::pair<Cost, std::int32_t> found{kInfinite, -1};
        for (std::size_t answer = 0; answer < problem.n_classes; ++answer) {
            Cost cost = 0;
            for (std::size_t truth = 0; truth < problem.n_classes; ++truth) {
                if constexpr (kMatrix) {
                    cost += weight[truth] * problem.costs[truth * problem.n_classes + answer];
                } else {
                    cost += truth == answer ? 0 : weight[truth];
                }
            }
            if (cost < found.first) found = {cost, static_cast<std::int32_t>(answer)};
        }
        return found;
    }
};

template <bool kMatrix>
class Plain {
  public:
    Plain(const Problem& problem, const Limits& limits) : problem_(problem), limits_(limits), leaf_{problem} {}

    ReferenceAnswer solve() {
        Rows all(problem_.n_rows);
        for (std::size_t row = 0; row < all.size(); ++row) all[row] = static_cast<std::int32_t>(row);
        Profile profile = profile_of(all, limits_.max_depth);
        profile[0] = leaf_.best(all).first;
        std::size_t leaves = 0;
        Cost best = kInfinite;
        for (std::size_t l = 1; l <= profile.size(); ++l) {
            if (limits_.max_leaves > 0 && l > static_cast<std::size_t>(limits_.max_leaves)) break;
            if (profile[l - 1] >= kInfinite) continue;
            const Cost cost = limits_.weight_unit * profile[l - 1] + limits_.leaf_cost * static_cast<Cost>(l);
            if (cost < best) best = cost, leaves = l;
        }
        ReferenceAnswer answer{best, {}};
        build(all, limits_.max_depth, leaves, answer.tree);
        return answer;
    }

  private:
    bool large_enough(const Rows& rows) const {
        std::int64_t weight = 0;
        for (const std::int32_t row : rows) {
            weight += problem_.weights.empty() ? 1 : problem_.weights[static_cast<std::size_t>(row)];
        }
        return !rows.empty() && static_cast<std::int64_t>(rows.size()) >= limits_.min_rows &&
               weight >= limits_.min_weight;
    }

    std::pair<Rows, Rows> parts(const Rows& rows, std::size_t feature) const {
        std::pair<Rows, Rows> out;
        for (const std::int32_t row : rows) {
            const bool one = problem_.cells[static_cast<std::size_t>(row) * problem_.n_features + feature] != 0;
            (one ? out.second : out.first).push_back(row);
        }
        return out;
    }

    // At most as many leaves as rows: more would leave one empty.
    Profile profile_of(const Rows& rows, int depth) {
        const auto known = profiles_.find({rows, depth});
        if (known != profiles_.end()) return known->second;
        const std::size_t most =
            depth < 20 ? std::min(rows.size(), std::size_t{1} << static_cast<unsigned>(depth)) : rows.size();
        Profile profile(std::max<std::size_t>(1, most), kInfinite);
        if (large_enough(rows)) profile[0] = leaf_.best(rows).first;
        for (std::size_t feature = 0; depth > 0 && feature < problem_.n_features; ++feature) {
            const auto [left, right] = parts(rows, feature);
            if (!large_enough(left) || !large_enough(right)) continue;
            const Profile a = profile_of(left, depth - 1), b = profile_of(right, depth - 1);
            for (std::size_t i = 0; i < a.size(); ++i) {
                for (std::size_t j = 0; j < b.size() && i + j + 2 <= profile.size(); ++j) {
                    profile[i + j + 1] = std::min(profile[i + j + 1], a[i] + b[j]);
                }
            }
        }
        profiles_.emplace(std::pair{rows, depth}, profile);
        return profile;
    }

    std::int32_t build(const Rows& rows, int depth, std::size_t leaves, Sketch& tree) {
        const std::size_t at = tree.size();
        tree.emplace_back();
        if (leaves == 1) {
            tree[at].answer = leaf_.best(rows).second;
            return static_cast<std::int32_t>(at);
        }
        const Cost wanted = profile_of(rows, depth)[leaves - 1];
        for (std::size_t feature = 0; feature < problem_.n_features; ++feature) {
            const auto [left, right] = parts(rows, feature);
            if (!large_enough(left) || !large_enough(right)) continue;
            const Profile a = profile_of(left, depth - 1), b = profile_of(right, depth - 1);
            for (std::size_t i = 1; i < leaves; ++i) {
                if (i > a.size() || leaves - i > b.size() || a[i - 1] + b[leaves - i - 1] != wanted) continue;
                tree[at].feature = static_cast<std::int32_t>(feature);
                const std::int32_t first = build(left, depth - 1, i, tree);
                const std::int32_t second = build(right, depth - 1, leaves - i, tree);
                tree[at].left = first;
                tree[at].right = second;
                return static_cast<std::int32_t>(at);
            }
        }
        return static_cast<std::int32_t>(at);
    }

    const Problem& problem_;
    const Limits& limits_;
    Leaf<kMatrix> leaf_;
    std::map<std::pair<Rows, int>, Profile> profiles_;
};

}  // namespace

ReferenceAnswer solve_plainly(const Problem& problem, const Limits& limits) {
    check(problem, limits);
    if (problem.costs.empty()) return Plain<false>(problem, limits).solve();
    return Plain<true>(problem, limits).solve();
}

}  // namespace boxwood::optimal
