// Orders of at most 64 rows, each row a byte: their stable partition by a set of rows in one word, and the highest
// value of their cuts.
//
// One instruction of AVX-512 looks the bits of 64 rows up, and one moves the
// chosen bytes together, so that an order is divided in a handful of steps; AVX2
// and BMI2 do it in steps of 32 and of eight rows. Cuts
// are weighed for eight orders side by side: nodes of a handful of rows have
// nothing to share out along an order, but they mostly have many features. All
// that is where the processor can do it (chosen when the program starts);
// elsewhere it goes a byte at a time, with the same result.
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

// How many bytes behind the last order may be read, and written as they were.
inline constexpr std::size_t kOrderSlack = 32;

// Writes the divided parts of the orders named in `slots` from one buffer to the same place of another. Both have room
// for kOrderSlack bytes more.
void divide_orders(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                   const OrderPart& part);

// The same, a byte at a time, on every processor: for comparison.
void divide_orders_plainly(const std::uint8_t* from, std::uint8_t* to, std::span<const std::size_t> slots,
                           const OrderPart& part);

// The cuts of the part [begin, begin + n) of some orders, all of the same rows, and no two of them of the same value.
// The cut after the step i (i + 1 rows on its left) has the value (S - drift[i])^2 factor[i], where S is the sum of the
// responses on its left.
struct OrderCuts {
    std::size_t begin = 0, n = 0;
    std::uint64_t rows = 0;
    const std::int64_t* whole = nullptr;  // responses by row
    const double *drift = nullptr, *factor = nullptr;
    std::size_t first = 0, last = 0;  // steps whose cuts are allowed
};

// Writes the highest value of each order named in `slots`.
void weigh_orders(const std::uint8_t* orders, std::span<const std::size_t> slots, const OrderCuts& cuts,
                  double* highest);

// The same, a cut at a time, on every processor: for comparison.
void weigh_orders_plainly(const std::uint8_t* orders, std::span<const std::size_t> slots, const OrderCuts& cuts,
                          double* highest);

}  // namespace boxwood
