#include "search/categorical/superclass.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "search/categorical/method.hpp"
#include "search/categorical/order.hpp"

namespace boxwood {
namespace {

// Walks through orders of values whose rows are short and dense, by Gini: S_L / w_L + S_R / w_R as in division.hpp,
// with one product L.r per value, since (T - L).r is T.r - L.r.
class GiniWalk {
  public:
    GiniWalk(const ValueTable& table, const DenseTable& counts)
        : table_(table), width_((counts.n_classes + 3) / 4 * 4), row_(table.size() * width_, 0.0), left_(width_) {
        for (std::size_t v = 0; v < table.size(); ++v) {
            double square = 0, whole = 0;
            for (std::size_t k = 0; k < counts.n_classes; ++k) {
                const double c = counts.row(v)[k];
                row_[v * width_ + k] = c;
                square += c * c;
                whole += c * table.total[counts.label[k]];
            }
            square_.push_back(square);
            whole_.push_back(whole);
        }
        for (const double c : table.total) total_ += c * c;
    }

    Prefix best(std::span<const std::uint32_t> order, const Room& room, double slack) {
        std::fill(left_.begin(), left_.end(), 0.0);
        const Groups& rows = table_.rows;
        const bool binds = room.binds();
        double left = 0, right = total_, weight = 0;
        std::int64_t n_rows = 0;
        Prefix best;
        for (std::size_t i = 0; i + 1 < order.size(); ++i) {
            const std::size_t v = order[i];
            const double* row = row_.data() + v * width_;
            double sum[4] = {0, 0, 0, 0};
            for (std::size_t k = 0; k < width_; k += 4) {
                for (std::size_t j = 0; j < 4; ++j) {
                    sum[j] += row[k + j] * left_[k + j];
                    left_[k + j] += row[k + j];
                }
            }
            const double product = (sum[0] + sum[1]) + (sum[2] + sum[3]);
            left += 2 * product + square_[v];
            right += square_[v] - 2 * (whole_[v] - product);
            weight += rows.weight[v];
            n_rows += rows.rows[v];
            if (binds && !room.allows(n_rows, weight)) continue;
            const double worth = left / weight + right / (table_.weight - weight);
            if (best.length == 0 || worth > best.worth + slack) best = {i + 1, worth};
        }
        return best;
    }

  private:
    const ValueTable& table_;
    std::size_t width_;
    std::vector<double> row_, left_, square_, whole_;
    double total_ = 0;
};

struct Placed {
    double share;
    std::uint32_t value;
    bool operator<(const Placed& other) const {
        return share != other.share ? share < other.share : value < other.value;
    }
};

// From one pair of superclasses to the next the order changes little: short ones are sorted by insertion.
void sort_again(std::vector<Placed>& placed) {
    constexpr std::size_t kShort = 48;
    if (placed.size() > kShort) {
        std::sort(placed.begin(), placed.end());
        return;
    }
    for (std::size_t i = 1; i < placed.size(); ++i) {
        const Placed one = placed[i];
        std::size_t at = i;
        for (; at > 0 && one < placed[at - 1]; --at) placed[at] = placed[at - 1];
        placed[at] = one;
    }
}

}  // namespace

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
    const ValueTable& table = division.table();
    const DenseTable counts = dense(table);
    const std::size_t n = table.size(), n_classes = counts.n_classes;
    if (n_classes > kMostTwoingClasses) throw std::invalid_argument("twoing takes at most 16 classes");
    GiniWalk walk(table, counts);
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
        sort_again(placed);
        for (std::size_t i = 0; i < n; ++i) order[i] = placed[i].value;
        const Prefix prefix =
            division.is_gini() ? walk.best(order, room, division.slack()) : best_prefix(division, order, room);
        if (prefix.length > 0 && (best.length == 0 || prefix.worth > best.worth + division.slack())) {
            best = prefix;
            best_order = order;
        }
    }
    if (best.length == 0) return {};
    return branches_of(best_order, best.length);
}

}  // namespace boxwood
