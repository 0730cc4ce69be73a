#include "grow/partition.hpp"

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

#include "check.hpp"

using namespace boxwood;

namespace {

// A list of rows in random order, each with a mark that tells equal rows apart.
template <class T>
std::vector<T> draw_list(std::size_t n, std::size_t n_rows, std::mt19937_64& random) {
    std::vector<T> list(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = random() % n_rows;
        if constexpr (std::is_integral_v<T>) {
            list[i] = static_cast<T>(row);
        } else {
            list[i] = {static_cast<decltype(T::row)>(row), static_cast<decltype(T::rank)>(i)};
        }
    }
    return list;
}

template <class T>
std::uint64_t row_of(const T& item) {
    if constexpr (std::is_integral_v<T>) {
        return item;
    } else {
        return item.row;
    }
}

template <class T>
bool same(const T& a, const T& b) {
    if constexpr (std::is_integral_v<T>) {
        return a == b;
    } else {
        return a.row == b.row && a.rank == b.rank;
    }
}

template <class T>
void compare(std::size_t most_rows) {
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 1000; ++trial) {
        const std::size_t n_rows = 1 + random() % most_rows, n = random() % 200, guard = 20;
        std::vector<std::uint32_t> bits(n_rows / 32 + 1);
        for (std::uint32_t& word : bits) {
            word = trial % 5 == 0   ? 0u
                   : trial % 5 == 1 ? ~0u
                                    : static_cast<std::uint32_t>(random() & (trial % 5 == 2 ? random() : ~0ull));
        }
        std::vector<T> list = draw_list<T>(n + guard, n_rows, random), expected = list, plain = list;
        const auto end = expected.begin() + static_cast<std::ptrdiff_t>(n);
        std::stable_partition(expected.begin(), end,
                              [&](const T& item) { return !has_row(bits.data(), row_of(item)); });
        std::vector<T> spare(n + kPartitionSlack);
        divide_list(list.data(), n, bits.data(), spare.data());
        divide_plainly(plain.data(), n, bits.data(), spare.data());
        CHECK(std::equal(list.begin(), list.end(), expected.begin(), same<T>));
        CHECK(std::equal(plain.begin(), plain.end(), expected.begin(), same<T>));
    }
}

}  // namespace

CASE("lists are divided stably, in blocks as well as an item at a time, and nothing behind them is written") {
    compare<std::uint16_t>(60'000);
    compare<std::uint32_t>(1'000'000);
    compare<Item<std::uint16_t>>(60'000);
    compare<Item<std::uint32_t>>(1'000'000);
}
