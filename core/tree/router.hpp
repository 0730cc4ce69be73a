// The one routing rule: which branch does a row take?
//
// threshold   missing (NaN) -> missing_branch; x <= threshold -> 0; else 1.
// subset,     missing -> missing_branch; a category listed at the node -> its
// multiway    branch; any other (absent here, or never seen) -> unknown_branch.
// is-missing  missing -> 0; never seen -> unknown_branch; else 1.
//
// A row ends at a leaf, or at an inner node whose answer is kStop, or is
// reported as -1 - node where the answer is kError.
//
// How it is fast: plain threshold nodes are 16 bytes, and a leaf is a node that
// leads to itself. A block of rows walks down side by side, a few levels per pass,
// without a branch that depends on the data; rows that no longer move drop out.
// Every other node ("special") leads to itself in that walk too, and is answered
// one row at a time after it.
//
// The constructor checks everything that routing relies on, so that no tree,
// however damaged, makes it read out of bounds or run for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/column.hpp"
#include "threads/team.hpp"
#include "tree/node.hpp"

namespace boxwood {

struct TreeView {
    std::span<const std::int32_t> n_categories;  // per feature, 0: numeric
    std::span<const std::int8_t> kind;           // per node, as all that follow
    std::span<const std::int32_t> feature;
    std::span<const double> threshold;
    std::span<const std::int32_t> first_child;
    std::span<const std::int32_t> n_children;
    std::span<const std::int32_t> missing_branch;
    std::span<const std::int32_t> unknown_branch;
    std::span<const std::int64_t> category_offset;  // one more than nodes
    std::span<const std::int32_t> category_code;
    std::span<const std::int32_t> category_branch;
};

class Router {
  public:
    explicit Router(const TreeView& tree);  // throws std::invalid_argument

    std::size_t n_features() const { return n_categories_.size(); }
    // Writes the node of each row. False if refuse_infinite and a cell is infinite, in whatever column.
    bool apply(std::span<const Column> columns, std::size_t n_rows, bool refuse_infinite, std::int32_t* out,
               Team& team) const;

  private:
    struct Plain {
        double threshold;
        std::int32_t feature;
        std::int32_t child;  // twice the first child, plus the branch of missing rows
    };
    struct Special {
        Kind kind;
        std::int32_t feature;
        double threshold;
        std::int32_t first_child, missing_branch, unknown_branch;
        std::int64_t begin, end;  // codes (searched), or table (looked up) when dense
        bool dense;
    };

    void check(const TreeView& tree) const;
    struct RowMajor;
    struct Scattered;
    template <bool kFinite, class Cells>
    void apply_block(const Cells& cells, std::span<const Column> columns, std::size_t begin, std::size_t end,
                     std::int32_t* out) const;
    // The branch of a row at a special node, or kStop, or kError.
    std::int32_t step(const Special& node, const Column& column, std::size_t row) const;
    static std::vector<std::int32_t> lay_out(const TreeView& tree);

    int depth_ = 0;
    std::vector<std::int32_t> n_categories_;
    std::vector<Plain> plain_;              // in an order of its own, see lay_out()
    std::vector<std::int32_t> id_;          // the tree's number of each of these
    std::vector<std::int32_t> special_of_;  // per place, -1: none; empty when the tree has none
    std::vector<Special> special_;
    std::vector<std::int32_t> codes_, branches_;  // sorted codes and their branches
    std::vector<std::int32_t> table_;             // branch by code, for dense nodes
};

}  // namespace boxwood
