// Stable partition of orders of at most 64 rows, each row a byte, by a set of rows in one word.
//
// One instruction of AVX-512 looks the bits of 64 rows up, and one moves the
// chosen bytes together, so that an order is divided in a handful of steps where
// the processor has them (chosen when the program starts); elsewhere a byte at a
// time, with the same result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace boxwood {

inline constexpr std::size_t kByteRows = 64;

// The part [begin, begin + n) of some orders, which lie kByteRows bytes apart.
struct OrderPart {
    std::size_t begin = 0, n = 0;
    std::uint64_t right = 0;  // rows that go to the end
    std::size_t n_left = 0;   // rows that do not
};

// Writes the divided parts of the orders named in `slots` from one buffer to the same place of another.
void divide_orders(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                   const OrderPart& part);

// The same, a byte at a time, on every processor: for comparison.
void divide_orders_plainly(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                           const OrderPart& part);

}  // namespace boxwood
