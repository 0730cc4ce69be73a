#include "threads/team.hpp"

#include <stdexcept>

#include "check.hpp"

using boxwood::Team;

CASE("every index is worked on once, by any number of threads") {
    for (const std::size_t size : {1, 2, 5}) {
        Team team(size);
        for (const std::size_t count : {0, 1, 2, 1000}) {
            std::vector<std::atomic<int>> seen(count);
            team.each(count, [&](std::size_t index, std::size_t member) {
                CHECK_EQUAL(member < team.size(), true);
                ++seen[index];
            });
            for (const auto& times : seen) CHECK_EQUAL(times.load(), 1);
        }
    }
}

CASE("what a piece of work throws reaches the caller, and the team lives on") {
    Team team(3);
    for (int round = 0; round < 20; ++round) {
        CHECK_THROWS(team.each(50,
                               [](std::size_t index, std::size_t) {
                                   if (index == 17) throw std::runtime_error("seventeen");
                               }),
                     std::runtime_error);
        std::atomic<int> done{0};
        team.each(50, [&](std::size_t, std::size_t) { ++done; });
        CHECK_EQUAL(done.load(), 50);
    }
}

// A caller asked for 100,000 threads, and the system ended the whole process rather than refuse one.
CASE("a team has a largest size, whatever is asked for") {
    Team team(100'000);
    CHECK(team.size() <= 256);
    std::atomic<int> done{0};
    team.each(1000, [&](std::size_t, std::size_t) { ++done; });
    CHECK_EQUAL(done.load(), 1000);
}
