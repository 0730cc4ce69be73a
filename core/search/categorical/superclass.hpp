// Searches that join the classes into two superclasses, and split these.
//
// For two classes the best grouping of values is a prefix of their order by class
// share (order.hpp). Joined into two superclasses, any table gives such an order;
// its prefixes are weighed on the original classes.
//
// Largest-Alone: the heaviest class against all others. List-Scheduling: classes
// by falling weight, each to the lighter superclass. O(entries + V log V) each.
// The thesis that compares them (de Albuquerque Mello Pereira 2018, section 3.4)
// gives bounds on the impurity that they reach: twice the least for Gini and three
// times for entropy, and twice for entropy.
// Twoing (Breiman et al. 1984, section 11.7.2) tries all 2^(K-1) - 1 pairs of
// superclasses, in Gray-code order: one class changes its superclass at a step,
// so that a step costs O(V) for the shares, O(V log V) for the order and the walk.
// Ties go to the lower class, and to the first order.
#pragma once

#include <cstdint>
#include <vector>

#include "search/categorical/division.hpp"

namespace boxwood {

std::vector<std::uint32_t> largest_alone(const ValueTable& table);
std::vector<std::uint32_t> list_scheduling(const ValueTable& table);
// Empty if the room allows nothing.
std::vector<std::uint8_t> twoing_search(Division& division, const Room& room);

}  // namespace boxwood
