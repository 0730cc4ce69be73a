// The rows of a node, each with its part of its weight, and their division among the branches of a split.
//
// A node holds its rows (members) and, for every numeric column that can still
// be split, the members that have a value in the order of their values. The
// orders come from one sort of the whole table and are divided with the rows:
// a division takes O(rows) per column. Rows without a value of the tested column
// go to every branch, their weight divided in proportion to the weights of the
// rows that have one (Quinlan 1993, section 3.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/buffer.hpp"
#include "grow/spread/grid.hpp"
#include "grow/spread/table.hpp"
#include "threads/team.hpp"
#include "tree/node.hpp"

namespace boxwood::spread {

struct Members {
    Buffer<std::uint32_t> row;          // of the table
    Buffer<std::uint16_t> label;        // class
    Buffer<double> weight;              // empty: all weigh 1
    std::vector<std::size_t> features;  // that can still be split
    // By place in `features`: numeric columns have their items at items[place * size()], n_known[place] of them.
    Buffer<Item> items;
    std::vector<std::size_t> n_known;

    std::size_t size() const { return row.size(); }
    double weight_of(std::size_t member) const { return weight.empty() ? 1.0 : weight[member]; }
    std::span<const Item> items_of(std::size_t place) const { return {items.data() + place * size(), n_known[place]}; }
};

// A split with what its branches hold of the rows whose value is known.
struct Split {
    Kind kind = Kind::kLeaf;
    std::size_t feature = 0;
    double gain = 0;   // the decrease of impurity, times the share of the weight that is known
    double score = 0;  // what columns competed by
    double threshold = 0;
    std::uint32_t last_rank = 0;  // of a threshold: the last rank on its left
    double n_choices = 1;         // candidates of this kind that the column had, see select/stopping.hpp
    std::size_t n_branches = 0;
    std::vector<double> counts;  // by branch and class
    std::vector<double> weight;  // by branch
    std::vector<std::int64_t> rows;
    double known = 0;  // the sum of `weight`
    std::vector<std::int32_t> category_code, category_branch;

    std::size_t heaviest() const;
};

// What a branch holds when the spread rows have joined it.
struct Child {
    std::vector<double> counts;
    double weight = 0;
    std::int64_t n_rows = 0;
};

class Division {
  public:
    Division(const Table& table, const WeightGrid& grid, std::size_t n_classes)
        : table_(table), grid_(grid), n_classes_(n_classes) {}

    // Finds the branch of every member. `place`: of the split's column among the node's features.
    std::vector<Child> begin(const Members& node, const Split& split, std::size_t place);
    // The rows of the children that are open, those of the others empty. `keep`: places of the features that go on.
    std::vector<Members> divide(const Members& node, std::span<const std::uint8_t> open,
                                std::span<const std::size_t> keep, Team& team);

  private:
    static constexpr std::int32_t kEverywhere = -1;
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

    const Table& table_;
    const WeightGrid& grid_;
    std::size_t n_classes_;
    std::size_t n_branches_ = 0;
    std::vector<std::int32_t> branch_;   // by member
    std::vector<std::uint32_t> place_;   // by member: among those of its branch; of a spread row: in spread_
    std::vector<std::uint32_t> spread_;  // members without a value
    std::vector<double> part_;           // by spread row and branch: its weight there
    std::vector<std::uint32_t> stand_;   // by spread row and branch: its place there
    std::vector<std::int32_t> of_code_;  // scratch: branch by category
    std::vector<std::int64_t> n_rows_;   // by branch
};

}  // namespace boxwood::spread
