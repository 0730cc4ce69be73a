// Orders of the values present at a node along which a good subset is a prefix.
//
// Two classes: by the share of one class. For a concave impurity some prefix is
// the best subset (Breiman et al. 1984, theorem 4.5), when no minimum leaf size
// binds.
// More classes: by the principal direction of the class-share table (Coppersmith,
// Hong and Hosking 1999), a heuristic. With p_g the shares of value g, w_g its
// weight and p the shares of the node, the direction is the leading eigenvector
// of sum_g w_g (p_g - p)(p_g - p)^T, found by power iteration without forming
// the matrix: O(entries of the table) per step, whatever the number of classes.
// Equal shares of two classes go to the heavier value, then to the one with more
// rows, then to the lower code; other equal places to the value that comes first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/categorical/groups.hpp"

namespace boxwood {

// `share` gets the share of the class, by group.
void order_by_share(const Groups& groups, std::uint16_t label, std::vector<std::uint32_t>& order,
                    std::vector<double>& share);
// By the share of the classes k with in[k] together.
void order_by_superclass(const Groups& groups, std::span<const std::uint8_t> in, std::vector<std::uint32_t>& order);
void order_by_principal_direction(const Groups& groups, std::size_t n_classes, std::vector<std::uint32_t>& order);

}  // namespace boxwood
