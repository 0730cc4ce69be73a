// What a stretch of a sorted list says of its rows, from the ranks and the classes that stand beside them.
//
// Growth keeps a row's class in the low bits of its rank (sample.hpp), so that a
// search reads one list and nothing else. These loops turn such a list into what
// searches go by; they are short, and every row of every node goes through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/ranks.hpp"

namespace boxwood {

// Of each row but the last: has the next one another value? And, where `differ` is not null, another class (of two)?
// `tag` has all the low bits that tell the class.
void note_changes(std::span<const Item<std::uint16_t>> items, std::uint16_t tag, std::uint8_t* change,
                  std::uint8_t* differ);
void note_changes(std::span<const Item<std::uint32_t>> items, std::uint32_t tag, std::uint8_t* change,
                  std::uint8_t* differ);

// Of two classes: how many rows of class 1 there are up to each row, `before` of them earlier; returns the last number.
std::int32_t count_ones(std::span<const Item<std::uint16_t>> items, std::int32_t before, std::int32_t* ones);
std::int32_t count_ones(std::span<const Item<std::uint32_t>> items, std::int32_t before, std::int32_t* ones);

// The class of each row.
void take_labels(std::span<const Item<std::uint16_t>> items, std::uint16_t tag, std::uint16_t* label);
void take_labels(std::span<const Item<std::uint32_t>> items, std::uint32_t tag, std::uint16_t* label);

}  // namespace boxwood
