// The one routing rule: which branch does a row take?
//
// threshold   missing (NaN) -> missing_branch; x <= threshold -> 0; else 1.
// subset,     missing -> missing_branch; a category listed at the node -> its
// multiway    branch; any other (absent here, or never seen) -> unknown_branch.
// is-missing  missing -> 0; never seen -> unknown_branch; else 1.
//
// A node may have surrogates: splits of other columns that stand in for its own. A
// missing value, and an unknown one that would take a branch, asks them first, in
// order; the first whose own value is there decides (tree/surrogates.hpp).
//
// A row ends at a leaf, or at an inner node whose answer is kStop, or is
// reported as -1 - node where the answer is kError. Where it is kSpread the row
// goes down every branch, its share of 1 divided in proportion to the weights of
// the children; it then has several ends, whose shares add up to 1. Such a row
// visits a node at most once, so it never costs more than the tree has nodes.
//
// How it is fast: plain threshold nodes are 16 bytes, and a leaf is a node that
// leads to itself. A block of rows walks down side by side, a few levels per pass,
// without a branch that depends on the data; rows that no longer move drop out.
// Every other node ("special") leads to itself in that walk too, and is answered
// one row at a time after it. A threshold that treats missing values in another
// way than by a branch of two is special only for blocks that have a missing
// number. Rows that are spread leave the block and are followed one by one.
//
// The constructor checks everything that routing relies on, so that no tree,
// however damaged, makes it read out of bounds or run for ever.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/column.hpp"
#include "threads/team.hpp"
#include "tree/node.hpp"
#include "tree/surrogates.hpp"

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
    std::span<const double> weight{};  // may be left out where no row is spread
    SurrogateView surrogates{};
};

class Router {
  public:
    explicit Router(const TreeView& tree);  // throws std::invalid_argument

    std::size_t n_features() const { return n_categories_.size(); }
    std::size_t n_nodes() const { return id_.size(); }
    // Writes the node of each row: where it ends, or, for a row that is spread, the end with the largest share (the
    // lowest of equals). False if refuse_infinite and a cell is infinite, in whatever column.
    bool apply(std::span<const Column> columns, std::size_t n_rows, bool refuse_infinite, std::int32_t* out,
               Team& team) const;

    // The same, and for each row the mean of its ends' values (`width` of them per node), weighted by their shares.
    // Nothing is written for a row that is refused.
    bool mix(std::span<const Column> columns, std::size_t n_rows, bool refuse_infinite, const double* values,
             std::size_t width, std::int32_t* out, double* mixed, Team& team) const;

    struct End {
        std::int32_t node;  // or -1 - node
        double share;
    };
    // All ends of all rows, those of a row by node; `offset` has where each row's begin, and their number last.
    std::vector<End> ends(std::span<const Column> columns, std::size_t n_rows, std::vector<std::int64_t>& offset,
                          Team& team) const;
    // All nodes that the rows pass, those of a row in order.
    std::vector<std::int32_t> passed(std::span<const Column> columns, std::size_t n_rows,
                                     std::vector<std::int64_t>& offset, Team& team) const;

    // The place of each node in the router's own order, for branch().
    std::vector<std::int32_t> places() const;
    // A threshold that sends missing values to one of its two branches; nothing for any other node.
    struct PlainThreshold {
        double threshold;
        std::int32_t feature, missing_branch;
    };
    std::optional<PlainThreshold> plain(std::int32_t place) const {
        const auto here = static_cast<std::size_t>(place);
        const Plain& node = plain_[here];
        if ((!special_of_.empty() && special_of_[here] >= 0) || node.child >> 1 == place) return std::nullopt;
        return PlainThreshold{node.threshold, node.feature, node.child & 1};
    }
    // The branch that one row takes at the inner node of a place, or kStop, kError or kSpread.
    std::int32_t branch(std::int32_t place, std::span<const Column> columns, std::size_t row) const {
        const auto here = static_cast<std::size_t>(place);
        if (!special_of_.empty() && special_of_[here] >= 0) {
            return step(special_[static_cast<std::size_t>(special_of_[here])], columns, row);
        }
        const Plain& node = plain_[here];
        const double x = columns[static_cast<std::size_t>(node.feature)].number(row);
        return std::isnan(x) ? node.child & 1 : (x > node.threshold ? 1 : 0);
    }

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
        std::int32_t first_child, n_children, missing_branch, unknown_branch;
        std::int64_t begin, end;  // codes (searched), or table (looked up) when dense
        bool dense;
        Surrogates::Range surrogates;
    };
    struct Open {
        std::int32_t place;
        double share;
    };

    void check(const TreeView& tree) const;
    void compile(const TreeView& tree, std::size_t node, std::int32_t place, std::int32_t first_child);
    void weigh_branches(const TreeView& tree, std::span<const std::int32_t> place);
    std::vector<Column> table(std::span<const Column> columns) const;
    struct RowMajor;
    struct Scattered;
    template <bool kFinite, class Cells>
    void apply_block(const Cells& cells, std::span<const Column> columns, std::size_t begin, std::size_t end,
                     std::int32_t* out) const;
    // Routes all rows, a block at a time, and calls use(begin, end) after each. In `out` a row that is spread is
    // marked.
    template <class Use>
    bool each_block(std::span<const Column> all, std::size_t n_rows, bool refuse_infinite, std::int32_t* out,
                    Team& team, Use use) const;
    // Follows a row from a place down all branches that it takes: pass(node) for each node, arrive(node, share, why)
    // for each end, where `why` is kStop or kError.
    template <class Pass, class Arrive>
    void follow(std::span<const Column> all, std::size_t row, std::int32_t place, std::vector<Open>& open, Pass pass,
                Arrive arrive) const;
    // The branch of a row at a special node, or kStop, kError or kSpread.
    std::int32_t step(const Special& node, std::span<const Column> all, std::size_t row) const;
    std::int32_t branch_of(const Special& node, std::int32_t code) const;
    static std::vector<std::int32_t> lay_out(const TreeView& tree);

    int depth_ = 0;
    std::vector<std::int32_t> n_categories_;
    std::vector<Plain> plain_;              // in an order of its own, see lay_out()
    std::vector<Plain> finite_;             // the same for rows without a missing number; empty: no different
    std::vector<std::int32_t> id_;          // the tree's number of each of these
    std::vector<std::int32_t> special_of_;  // per place, -1: none; empty when the tree has none
    std::vector<Special> special_;
    std::vector<std::int32_t> codes_, branches_;  // sorted codes and their branches
    std::vector<std::int32_t> table_;             // branch by code, for dense nodes
    std::vector<double> share_;                   // per place, of its family's weight; empty when no row is spread
    Surrogates surrogates_;
};

}  // namespace boxwood
