#include "threads/team.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

#include "check.hpp"

using namespace boxwood;

CASE("every index is worked on once, by a member of the team") {
    for (const std::size_t size : {1, 2, 5}) {
        Team team(size);
        CHECK(team.size() >= 1 && team.size() <= size);
        for (const std::size_t count : {0, 1, 2, 1000}) {
            std::vector<std::atomic<int>> worked(count);
            std::atomic<bool> members_are_numbered = true;
            team.each(count, [&](std::size_t index, std::size_t member) {
                ++worked[index];
                if (member >= team.size()) members_are_numbered = false;
            });
            bool once = true;
            for (const auto& times : worked) once &= times == 1;
            CHECK(once);
            CHECK(members_are_numbered.load());
        }
    }
}

CASE("an exception reaches the caller, and the team works on") {
    for (const std::size_t size : {1, 3}) {
        Team team(size);
        for (int round = 0; round < 20; ++round) {
            std::string message;
            try {
                team.each(100, [](std::size_t index, std::size_t) {
                    if (index == 40) throw std::runtime_error("forty");
                });
            } catch (const std::runtime_error& error) {
                message = error.what();
            }
            CHECK_EQUAL(message, std::string("forty"));
            std::atomic<int> worked = 0;
            team.each(50, [&](std::size_t, std::size_t) { ++worked; });
            CHECK_EQUAL(worked.load(), 50);
        }
    }
}

CASE("what members wrote is seen by the caller") {
    Team team(4);
    for (std::size_t round = 0; round < 200; ++round) {
        std::vector<std::size_t> squares(64);
        team.each(squares.size(), [&](std::size_t index, std::size_t) { squares[index] = index * index + round; });
        std::size_t sum = 0;
        for (const std::size_t square : squares) sum += square;
        CHECK_EQUAL(sum, 85344 + 64 * round);
    }
}

CASE("teams come and go") {
    for (int round = 0; round < 100; ++round) {
        Team idle(3);
        CHECK(idle.size() >= 1);
    }
}
