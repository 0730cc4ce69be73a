#include "discretize/groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "data/ranks.hpp"
#include "discretize/counting.hpp"
#include "tree/node.hpp"

namespace boxwood::discretize {
namespace {

// Rows of several columns that are read together.
constexpr std::size_t kRowBlock = 128;

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

// The groups of rows in order; their numbers count from `offset` in the labels.
Groups group_sorted(const Column& column, std::span<const Item<std::uint32_t>> items, const Labels& labels,
                    std::size_t offset) {
    Groups out;
    Tally tally(labels.n_classes);
    for (std::size_t i = 0; i < items.size() && items[i].rank != kNoRank<std::uint32_t>; ++i) {
        const std::size_t row = offset + items[i].row;
        tally.add(labels.target[row], labels.weights.empty() ? 1.0 : labels.weights[row]);
        if (i + 1 == items.size() || items[i + 1].rank != items[i].rank) {
            tally.close(column.number(row) + 0.0, out);  // the two zeros are one value
        }
    }
    return out;
}

// The same for a column that has turned out to have few values among these rows.
Groups group_coded(const RankedColumn& ranked, const RankedTable<std::uint32_t>& table, const Labels& labels,
                   std::size_t offset) {
    Groups out;
    const std::size_t n_classes = labels.n_classes;
    std::vector<double> weight((ranked.n_values + 1) * n_classes, 0.0);  // the last row: missing
    for (std::size_t i = 0; i < table.n_rows; ++i) {
        const std::size_t code = table.codes[i * table.n_coded + ranked.slot], row = offset + i;
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
    return out;
}

// Counts the columns in blocks of rows. What has too many values, or was not done when the monitor ended it, says so.
std::vector<ValueCounts> count_columns(std::span<const Column> columns, const Labels& labels, Team& team,
                                       Monitor& monitor) {
    const std::size_t n_rows = labels.target.size();
    std::vector<ValueCounts> counts(columns.size(),
                                    ValueCounts(few_values(n_rows, labels.n_classes), labels.n_classes));
    const std::size_t n_pieces = std::min(team.size(), columns.size());
    team.each(n_pieces, [&](std::size_t piece, std::size_t member) {
        const std::size_t first = columns.size() * piece / n_pieces, last = columns.size() * (piece + 1) / n_pieces;
        for (std::size_t begin = 0; begin < n_rows && !monitor.stopped(); begin += kRowBlock) {
            const std::size_t end = std::min(n_rows, begin + kRowBlock);
            for (std::size_t j = first; j < last; ++j) counts[j].add(columns[j], labels, begin, end);
            monitor.tick(member, static_cast<std::int64_t>((end - begin) * (last - first)));
        }
    });
    return counts;
}

// The groups of a column, part by part of its rows. Parts of like length are merged first, so that every group is
// copied about as often as the number of parts has binary digits.
class Parts {
  public:
    void add(Groups&& groups) {
        waiting_.push_back(std::move(groups));
        for (std::size_t n = ++count_; n % 2 == 0; n /= 2) join();
    }
    Groups all() {
        while (waiting_.size() > 1) join();
        return std::move(waiting_.front());
    }

  private:
    void join() {
        Groups both = merge_groups(waiting_[waiting_.size() - 2], waiting_.back());
        waiting_.pop_back();
        waiting_.back() = std::move(both);
    }
    std::vector<Groups> waiting_;
    std::size_t count_ = 0;
};

// Puts the rows of some columns in order, and hands over their groups.
void group_by_order(std::span<const Column> columns, const std::vector<std::size_t>& numbers, const Labels& labels,
                    std::size_t rows_together, Team& team, Monitor& monitor, const UseGroups& use) {
    const std::size_t n_rows = labels.target.size();
    std::vector<Parts> parts(columns.size());
    std::vector<Column> some(columns.begin(), columns.end());
    for (std::size_t begin = 0; begin < n_rows; begin += rows_together) {
        const std::size_t n_here = std::min(rows_together, n_rows - begin);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            some[j].data = columns[j].data + static_cast<std::ptrdiff_t>(begin) * columns[j].stride;
        }
        auto table = rank_columns<std::uint32_t>(some, n_here, team, monitor);
        const bool last = begin + n_here == n_rows;
        team.each(columns.size(), [&](std::size_t j, std::size_t member) {
            if (monitor.stopped()) return;
            const RankedColumn& ranked = table.columns[j];
            if (ranked.coded) {
                parts[j].add(group_coded(ranked, table, labels, begin));
            } else {
                parts[j].add(group_sorted(columns[j], table.sorted[ranked.slot], labels, begin));
                table.sorted[ranked.slot] = {};
            }
            monitor.tick(member, static_cast<std::int64_t>(n_here));
            if (last) use(numbers[j], parts[j].all(), member);
        });
        if (monitor.stopped()) return;
    }
}

}  // namespace

double Groups::threshold(std::size_t i) const {
    return between(values[i], values[i + 1]);
}

Groups merge_groups(const Groups& some, const Groups& others) {
    Groups out;
    out.values.reserve(some.size() + others.size());
    out.start.reserve(some.size() + others.size() + 1);
    out.shares.reserve(some.shares.size() + others.shares.size());
    const auto copy = [&](const Groups& from, std::size_t i) {
        for (std::size_t at = from.start[i]; at < from.start[i + 1]; ++at) out.shares.push_back(from.shares[at]);
    };
    std::size_t i = 0, j = 0;
    while (i < some.size() || j < others.size()) {
        const bool mine = j == others.size() || (i < some.size() && some.values[i] <= others.values[j]);
        const bool theirs = i == some.size() || (j < others.size() && others.values[j] <= some.values[i]);
        out.values.push_back(mine ? some.values[i] : others.values[j]);
        const std::size_t first = out.shares.size();
        if (mine) copy(some, i++);
        const std::size_t border = out.shares.size();
        if (theirs) copy(others, j++);
        if (mine && theirs) {
            // A class that both have is one share.
            std::size_t end = border;
            for (std::size_t at = border; at < out.shares.size(); ++at) {
                const Share share = out.shares[at];
                std::size_t twin = first;
                while (twin < border && out.shares[twin].label != share.label) ++twin;
                if (twin < border) {
                    out.shares[twin].weight += share.weight;
                } else {
                    out.shares[end++] = share;
                }
            }
            out.shares.resize(end);
        }
        out.start.push_back(out.shares.size());
    }
    return out;
}

void group_columns(std::span<const Column> columns, const Labels& labels, const GroupOptions& options, Team& team,
                   Monitor& monitor, const UseGroups& use) {
    for (std::size_t first = 0; first < columns.size(); first += options.columns_together) {
        const auto some = columns.subspan(first, std::min(options.columns_together, columns.size() - first));
        std::vector<std::size_t> few, many;
        {
            const std::vector<ValueCounts> counts = count_columns(some, labels, team, monitor);
            if (monitor.stopped()) return;
            for (std::size_t j = 0; j < some.size(); ++j) (counts[j].too_many() ? many : few).push_back(j);
            team.each(few.size(), [&](std::size_t i, std::size_t member) {
                if (!monitor.stopped()) use(first + few[i], counts[few[i]].groups(), member);
            });
        }
        const std::size_t at_once = options.rows_together < labels.target.size() ? team.size() : many.size();
        for (std::size_t begin = 0; begin < many.size() && !monitor.stopped(); begin += at_once) {
            std::vector<Column> sorted;
            std::vector<std::size_t> numbers;
            for (std::size_t i = begin; i < std::min(many.size(), begin + at_once); ++i) {
                sorted.push_back(some[many[i]]);
                numbers.push_back(first + many[i]);
            }
            group_by_order(sorted, numbers, labels, options.rows_together, team, monitor, use);
        }
        if (monitor.stopped()) return;
    }
}

std::vector<bool> missing_columns(std::span<const Column> columns, std::size_t n_rows) {
    std::vector<bool> out(columns.size(), false);
    const auto grid = as_grid(columns);
    // Blocks of rows across all columns: a row-major table passes through the cache once.
    for (std::size_t begin = 0; begin < n_rows; begin += kRowBlock) {
        const std::size_t end = std::min(n_rows, begin + kRowBlock);
        const bool finite = worst_number(columns, grid, begin, end) == Worst::kFinite;
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (out[j] || (finite && !columns[j].categorical)) continue;
            bool missing = false;
            for (std::size_t row = begin; row < end; ++row) {
                missing |= columns[j].categorical ? columns[j].code(row) < 0 : std::isnan(columns[j].number(row));
            }
            out[j] = missing;
        }
    }
    return out;
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

}  // namespace boxwood::discretize
