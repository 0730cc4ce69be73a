#include "discretize/groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "data/ranks.hpp"
#include "tree/node.hpp"

namespace boxwood {
namespace {

// Adds up the weights of one group by class, at the price of the classes that are there.
class Tally {
  public:
    explicit Tally(std::size_t n_classes) : weight_(n_classes, 0.0) {}
    void add(std::int32_t label, double weight) {
        double& sum = weight_[static_cast<std::size_t>(label)];
        if (sum == 0) seen_.push_back(static_cast<std::uint32_t>(label));
        sum += weight;
    }
    void close(double value, Groups& out) {
        for (const std::uint32_t label : seen_) {
            out.shares.push_back({weight_[label], label});
            weight_[label] = 0;
        }
        seen_.clear();
        out.values.push_back(value);
        out.start.push_back(out.shares.size());
    }

  private:
    std::vector<double> weight_;
    std::vector<std::uint32_t> seen_;
};

void group_sorted(const Column& column, std::span<const Item<std::uint32_t>> items, const Labels& labels, Groups& out) {
    Tally tally(labels.n_classes);
    for (std::size_t i = 0; i < items.size() && items[i].rank != kNoRank<std::uint32_t>; ++i) {
        const std::uint32_t row = items[i].row;
        tally.add(labels.target[row], labels.weights.empty() ? 1.0 : labels.weights[row]);
        if (i + 1 == items.size() || items[i + 1].rank != items[i].rank) {
            tally.close(column.number(row) + 0.0, out);  // the two zeros are one value
        }
    }
}

// The codes of column `slot` in a row-major matrix.
void group_coded(const RankedColumn& ranked, const RankedTable<std::uint32_t>& table, const Labels& labels,
                 Groups& out) {
    const std::size_t n_classes = labels.n_classes;
    std::vector<double> weight((ranked.n_values + 1) * n_classes, 0.0);  // the last row: missing
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        const std::size_t code = table.codes[row * table.n_coded + ranked.slot];
        weight[code * n_classes + static_cast<std::size_t>(labels.target[row])] +=
            labels.weights.empty() ? 1.0 : labels.weights[row];
    }
    for (std::size_t rank = 0; rank < ranked.n_values; ++rank) {
        for (std::size_t k = 0; k < n_classes; ++k) {
            const double w = weight[rank * n_classes + k];
            if (w > 0) out.shares.push_back({w, static_cast<std::uint32_t>(k)});
        }
        out.values.push_back(ranked.values[rank] + 0.0);
        out.start.push_back(out.shares.size());
    }
}

}  // namespace

double Groups::threshold(std::size_t i) const {
    return between(values[i], values[i + 1]);
}

void group_columns(std::span<const Column> columns, const Labels& labels, std::size_t together, Team& team,
                   Monitor& monitor, const UseGroups& use) {
    for (std::size_t first = 0; first < columns.size() && !monitor.stopped(); first += together) {
        const auto some = columns.subspan(first, std::min(together, columns.size() - first));
        auto table = rank_columns<std::uint32_t>(some, labels.target.size(), team, monitor);
        team.each(some.size(), [&](std::size_t j, std::size_t member) {
            if (monitor.stopped()) return;
            const RankedColumn& ranked = table.columns[j];
            Groups groups;
            if (ranked.coded) {
                group_coded(ranked, table, labels, groups);
            } else {
                group_sorted(some[j], table.sorted[ranked.slot], labels, groups);
                table.sorted[ranked.slot] = {};
            }
            use(first + j, std::move(groups), member);
        });
    }
}

Runs join_runs(const Groups& groups) {
    Runs out;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::size_t begin = groups.start[i], end = groups.start[i + 1];
        const bool pure = end - begin == 1;
        const bool goes_on = pure && !out.last.empty() && out.shares.size() - out.start[out.size() - 1] == 1 &&
                             out.shares.back().label == groups.shares[begin].label;
        if (goes_on) {
            out.shares.back().weight += groups.shares[begin].weight;
            out.last.back() = i;
            continue;
        }
        out.shares.insert(out.shares.end(), groups.shares.begin() + static_cast<std::ptrdiff_t>(begin),
                          groups.shares.begin() + static_cast<std::ptrdiff_t>(end));
        out.start.push_back(out.shares.size());
        out.last.push_back(i);
    }
    return out;
}

}  // namespace boxwood
