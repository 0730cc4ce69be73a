#include "grow/regression/byte_orders.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"

using namespace boxwood;

CASE("orders are divided stably, at once as well as a byte at a time, and nothing else is written") {
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 5000; ++trial) {
        const std::size_t n_orders = 1 + random() % 5, begin = random() % kByteRows;
        const std::size_t n = 1 + random() % (kByteRows - begin);
        std::vector<std::uint8_t> from(n_orders * kByteRows + kOrderSlack, 210), rows(kByteRows);
        std::iota(rows.begin(), rows.end(), std::uint8_t{0});
        std::shuffle(rows.begin(), rows.end(), random);
        const std::vector<std::uint8_t> mine(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(n));
        std::uint64_t all = 0;
        for (const std::uint8_t row : mine) all |= std::uint64_t{1} << row;
        const std::uint64_t right = trial % 7 == 0 ? all : trial % 7 == 1 ? 0 : random() & random() & all;
        std::vector<std::size_t> slots;
        std::vector<std::uint8_t> expected(from.size(), 200);
        for (std::size_t slot = 0; slot < n_orders; ++slot) {
            std::shuffle(rows.begin(), rows.end(), random);
            std::vector<std::uint8_t> order = mine;
            std::shuffle(order.begin(), order.end(), random);
            std::copy(order.begin(), order.end(), from.begin() + static_cast<std::ptrdiff_t>(slot * kByteRows + begin));
            if (slot % 3 == 2) continue;  // not asked for
            slots.push_back(slot);
            std::stable_partition(order.begin(), order.end(),
                                  [&](std::uint8_t row) { return (right >> row & 1) == 0; });
            std::copy(order.begin(), order.end(),
                      expected.begin() + static_cast<std::ptrdiff_t>(slot * kByteRows + begin));
        }
        const OrderPart part{begin, n, right, n - static_cast<std::size_t>(std::popcount(right))};
        std::vector<std::uint8_t> at_once(from.size(), 200), plainly(from.size(), 200);
        divide_orders(from.data(), at_once.data(), slots, part);
        divide_orders_plainly(from.data(), plainly.data(), slots, part);
        CHECK(at_once == expected);
        CHECK(plainly == expected);
    }
}

CASE("the highest cut of every order is the same for eight orders side by side as for one at a time") {
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 5000; ++trial) {
        const std::size_t n_orders = 1 + random() % 20, n = 3 + random() % (kByteRows - 2);
        const std::size_t begin = random() % (kByteRows - n + 1);
        std::vector<std::uint8_t> rows(kByteRows), orders(n_orders * kByteRows + kOrderSlack, 200);
        std::iota(rows.begin(), rows.end(), std::uint8_t{0});
        std::shuffle(rows.begin(), rows.end(), random);
        rows.resize(n);
        OrderCuts cuts{begin, n, 0, nullptr, nullptr, nullptr, random() % (n / 2), 0};
        cuts.last = cuts.first + random() % (n - 1 - cuts.first);
        for (const std::uint8_t row : rows) cuts.rows |= std::uint64_t{1} << row;
        std::vector<std::int64_t> whole(kByteRows);
        for (auto& y : whole) y = static_cast<std::int64_t>(random()) >> (trial % 3 == 0 ? 60 : 8);
        std::vector<double> drift(n), factor(n);
        for (std::size_t i = 0; i < n; ++i) {
            drift[i] = static_cast<double>(random() % 1000) - 500;
            factor[i] = 1.0 + static_cast<double>(random() % 1000) / 7;
        }
        cuts.whole = whole.data();
        cuts.drift = drift.data();
        cuts.factor = factor.data();
        std::vector<std::size_t> slots;
        std::vector<double> expected;
        for (std::size_t slot = 0; slot < n_orders; ++slot) {
            std::shuffle(rows.begin(), rows.end(), random);
            std::copy(rows.begin(), rows.end(), orders.begin() + static_cast<std::ptrdiff_t>(slot * kByteRows + begin));
            if (slot % 5 == 3) continue;  // not asked for
            slots.push_back(slot);
            double highest = -1;
            for (std::size_t i = cuts.first; i <= cuts.last; ++i) {
                std::int64_t sum = 0;
                for (std::size_t k = 0; k <= i; ++k) sum += whole[rows[k]];
                const double d = static_cast<double>(sum) - drift[i];
                highest = std::max(highest, d * d * factor[i]);
            }
            expected.push_back(highest);
        }
        std::vector<double> at_once(slots.size() + 1, 7), plainly(slots.size() + 1, 7);
        weigh_orders(orders.data(), slots, cuts, at_once.data());
        weigh_orders_plainly(orders.data(), slots, cuts, plainly.data());
        expected.push_back(7);  // nothing else is written
        CHECK(at_once == expected);
        CHECK(plainly == expected);
    }
}
