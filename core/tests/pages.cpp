#include "data/pages.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"
#include "data/buffer.hpp"

using namespace boxwood;

CASE("free ranges are joined, and the smallest that holds a request is taken") {
    PageRanges ranges;
    ranges.give(100, 10);
    ranges.give(120, 30);
    ranges.give(110, 10);
    CHECK_EQUAL(ranges.all().size(), std::size_t{1});
    CHECK_EQUAL(ranges.all().at(100), std::size_t{50});
    ranges.give(300, 20);
    CHECK_EQUAL(*ranges.take(20, 1), std::uintptr_t{300});
    CHECK_EQUAL(*ranges.take(8, 64), std::uintptr_t{128});
    CHECK_EQUAL(ranges.all().at(100), std::size_t{28});
    CHECK_EQUAL(ranges.all().at(136), std::size_t{14});
    CHECK_EQUAL(ranges.take(29, 1).has_value(), false);
    CHECK_EQUAL(ranges.take(20, 128).has_value(), false);
}

CASE("every byte is free or taken, once, whatever is asked and given back") {
    constexpr std::size_t kSize = 400;
    std::mt19937 random(3);
    PageRanges ranges;
    ranges.give(0, kSize);
    std::vector<int> owner(kSize, 0);
    std::vector<std::pair<std::uintptr_t, std::size_t>> taken;
    for (int step = 0; step < 20000; ++step) {
        if (random() % 2 == 0 || taken.empty()) {
            const std::size_t bytes = 1 + random() % 40, alignment = std::size_t{1} << random() % 5;
            const auto begin = ranges.take(bytes, alignment);
            if (!begin) continue;
            CHECK_EQUAL(*begin % alignment, std::uintptr_t{0});
            for (std::size_t i = 0; i < bytes; ++i) CHECK_EQUAL(owner[*begin + i]++, 0);
            taken.emplace_back(*begin, bytes);
        } else {
            std::swap(taken[random() % taken.size()], taken.back());
            const auto [begin, bytes] = taken.back();
            taken.pop_back();
            for (std::size_t i = 0; i < bytes; ++i) --owner[begin + i];
            ranges.give(begin, bytes);
        }
        std::size_t n_free = 0;
        std::uintptr_t last = kSize + 1;
        for (const auto& [begin, bytes] : ranges.all()) {
            CHECK_EQUAL(begin == last, false);
            for (std::size_t i = 0; i < bytes; ++i) n_free += owner[begin + i] == 0;
            last = begin + bytes;
        }
        CHECK_EQUAL(n_free, static_cast<std::size_t>(std::count(owner.begin(), owner.end(), 0)));
    }
}

CASE("arrays keep what is written to them, with and without a keeper, and outlive it") {
    std::mt19937 random(5);
    std::vector<Stream<std::uint32_t>> streams;
    std::vector<Buffer<std::uint64_t>> buffers;
    const auto fill = [](auto& array, std::uint32_t mark) { std::fill(array.begin(), array.end(), mark); };
    const auto holds = [](const auto& array) {
        return std::all_of(array.begin(), array.end(), [&](auto value) { return value == array.front(); });
    };
    const auto play = [&] {
        for (std::uint32_t step = 0; step < 60; ++step) {
            streams.emplace_back(std::size_t{1} << (18 + random() % 3));
            fill(streams.back(), 2 * step);
            buffers.emplace_back((std::size_t{1} << 18) + random() % 100000);
            fill(buffers.back(), 2 * step + 1);
            if (random() % 3 > 0) streams.erase(streams.begin() + random() % streams.size());
            if (random() % 3 > 0) buffers.erase(buffers.begin() + random() % buffers.size());
        }
        for (const auto& stream : streams) CHECK_EQUAL(holds(stream), true);
        for (const auto& buffer : buffers) CHECK_EQUAL(holds(buffer), true);
    };
    play();
    {
        const KeptPages outer;
        play();
        const KeptPages inner;
        play();
    }
    for (const auto& stream : streams) CHECK_EQUAL(holds(stream), true);
    streams.clear();
    play();
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
CASE("a keeper hands out what was freed") {
    const KeptPages kept;
    std::set<const void*> before;
    {
        Buffer<std::uint64_t> first(std::size_t{1} << 20), second(std::size_t{1} << 20);
        std::memset(first.data(), 1, first.size() * 8);
        before = {first.data(), second.data()};
    }
    const Stream<std::uint64_t> both(std::size_t{1} << 21);  // neighbours are joined
    CHECK_EQUAL(before.count(both.data()), std::size_t{1});
}
#endif
