// Splits that stand in for another one where its value is missing.
//
// A surrogate sends a row to branch 0 or 1 of the node that it belongs to. By a
// threshold: x <= threshold -> 0, else 1, or the other way round if it is flipped.
// By category: a listed one -> its branch; any other is as good as missing. The
// surrogates of a node are asked in order, and the first that has a value decides.
//
// Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and
// Regression Trees, 1984, section 5.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/column.hpp"
#include "tree/node.hpp"

namespace boxwood {

struct SurrogateView {
    std::span<const std::int64_t> offset;   // one more than nodes; empty: there are none
    std::span<const std::int32_t> feature;  // per surrogate, as all that follow
    std::span<const double> threshold;      // NaN: by category
    std::span<const std::int8_t> flipped;
    std::span<const std::int64_t> category_offset;  // one more than surrogates
    std::span<const std::int32_t> category_code;
    std::span<const std::int32_t> category_branch;
};

class Surrogates {
  public:
    struct Range {
        std::int64_t begin = 0, end = 0;
        bool empty() const { return begin == end; }
    };

    Surrogates() = default;
    // Throws std::invalid_argument; `kind` and `feature` are the nodes'.
    Surrogates(const SurrogateView& view, std::span<const std::int8_t> kind, std::span<const std::int32_t> feature,
               std::span<const std::int32_t> n_categories);

    Range of(std::size_t node) const;
    // The branch that a row takes, or kStop if it has no value in any of these columns.
    std::int32_t branch(Range range, std::span<const Column> columns, std::size_t row) const;

  private:
    struct One {
        double threshold;
        std::int32_t feature;
        std::int8_t flipped;
        std::int64_t begin, end;  // of its codes
    };
    std::vector<std::int64_t> offset_;
    std::vector<One> all_;
    std::vector<std::int32_t> codes_, branches_;
};

}  // namespace boxwood
