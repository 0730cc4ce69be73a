// The table as spread growth sees it: numeric columns ranked once, categories as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/buffer.hpp"
#include "data/column.hpp"
#include "threads/monitor.hpp"
#include "threads/team.hpp"

namespace boxwood::spread {

// A row of a node that has a value, in the order of the values. `member`: its place among the rows of the node.
struct Item {
    std::uint32_t member;
    std::uint32_t rank;
};

struct NumericColumn {
    std::vector<double> values;  // of each rank, ascending
    Buffer<Item> order;          // of all rows that have a value
};

struct Table {
    std::span<const Column> columns;
    std::size_t n_rows = 0;
    std::vector<NumericColumn> numeric;  // by column; empty for a categorical one
};

// Throws std::domain_error if a number is infinite.
Table read_table(std::span<const Column> columns, std::size_t n_rows, Team& team, Monitor& monitor);

}  // namespace boxwood::spread
