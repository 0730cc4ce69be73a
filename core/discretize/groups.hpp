// The rows of one numeric column, grouped by value.
//
// A discretiser sees of a column only this: its distinct values in order, and
// how much weight of each class each of them has. Two forms:
//   Groups  one entry per distinct value
//   Runs    neighbouring groups joined while both hold one and the same single
//           class. The cuts between runs are the boundary points (Fayyad and
//           Irani 1992), and no others: a concave impurity never has its best
//           cut elsewhere.
// Both are lists of shares, (class, weight) pairs with weight above 0, in one
// array with offsets, so that a walk along the column reads memory in order
// and costs nothing for classes that a value does not have.
//
// Weights are such that every sum of them is exact in float64 (they come
// rounded from the table), so nothing here depends on the order of the rows.
// Rows without a value are in no group.
//
// Columns are taken a few at a time: a row-major table is then read by whole
// cache lines, and memory stays small. Those of few distinct values are counted
// (discretize/counting.hpp), the others put in order by data/ranks, O(rows)
// each; of a long table in parts of so many rows, whose groups are merged like
// sorted lists. The columns of one such block are shared out among the threads.
// The monitor is asked within columns too: after some rows while counting, after
// each part while sorting. When it stops the call, the columns that are left, or
// not done, are not handed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/column.hpp"
#include "threads/monitor.hpp"
#include "threads/team.hpp"

namespace boxwood::discretize {

struct Labels {
    std::span<const std::int32_t> target;  // class of each row
    std::size_t n_classes = 0;
    std::span<const double> weights;  // empty: all weights are 1
};

struct Share {
    double weight;
    std::uint32_t label;
};

struct Groups {
    std::vector<double> values;         // distinct, ascending
    std::vector<std::size_t> start{0};  // shares of group i: [start[i], start[i + 1])
    std::vector<Share> shares;

    std::size_t size() const { return values.size(); }
    std::size_t cuts() const { return values.empty() ? 0 : values.size() - 1; }
    // The threshold of the cut after group i: the midpoint of two neighbours, the lower one if it rounds to the upper.
    double threshold(std::size_t i) const;
};

struct Runs {
    std::vector<std::size_t> start{0};  // shares of run i: [start[i], start[i + 1])
    std::vector<Share> shares;
    std::vector<std::size_t> last;  // the last group of each run

    std::size_t size() const { return last.size(); }
    std::span<const Share> of(std::size_t first, std::size_t end) const {
        return std::span(shares).subspan(start[first], start[end] - start[first]);
    }
};

// How many columns are taken together: whole cache lines of a row-major table.
inline constexpr std::size_t kColumnsTogether = 16;

// How many rows are put in order at once.
inline constexpr std::size_t kRowsTogether = std::size_t{1} << 18;

struct GroupOptions {
    std::size_t columns_together = kColumnsTogether;
    std::size_t rows_together = kRowsTogether;
};

// Hands over the groups of every column, with the number of the thread; in any order. Throws std::domain_error if a
// number is infinite.
using UseGroups = std::function<void(std::size_t column, Groups&& groups, std::size_t member)>;
void group_columns(std::span<const Column> columns, const Labels& labels, const GroupOptions& options, Team& team,
                   Monitor& monitor, const UseGroups& use);

// The groups of all rows from those of some rows and those of others.
Groups merge_groups(const Groups& some, const Groups& others);

Runs join_runs(const Groups& groups);

// For each column, whether a cell is missing.
std::vector<bool> missing_columns(std::span<const Column> columns, std::size_t n_rows);

}  // namespace boxwood::discretize
