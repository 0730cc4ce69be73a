// Shared loops: every round once, whoever does it; nothing hangs, nothing is lost when a round fails.
#include "optimal/board.hpp"

#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "check.hpp"

using namespace boxwood::optimal;
using boxwood::Monitor;

namespace {

// A caller, member 0, with helpers that serve until the end of the case.
class Crew {
  public:
    explicit Crew(std::size_t size, Monitor::Poll poll = nullptr, double time_limit = -1)
        : monitor_(std::move(poll)), control(monitor_, time_limit), board(control) {
        for (std::size_t member = 1; member < size; ++member) {
            helpers_.emplace_back([this, member] { board.serve(member); });
        }
    }
    ~Crew() {
        board.close();
        for (auto& helper : helpers_) helper.join();
    }

  private:
    Monitor monitor_;

  public:
    Control control;
    Board board;

  private:
    std::vector<std::thread> helpers_;
};

// Wait, but not for ever, until another thread has done something.
template <class Done>
bool waited_for(Done done) {
    for (int i = 0; i < 10'000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return done();
}

// Loops within loops, as the nodes of a search; counts the innermost rounds.
void nest(Board& board, std::size_t member, int height, std::size_t width, std::atomic<std::size_t>& done) {
    board.each(member, height, width, [&](std::size_t round, std::size_t who) {
        if (height == 0) {
            done.fetch_add(1);
        } else if (round % 3 != 2) {
            nest(board, who, height - 1, width - round % 2, done);
        }
    });
}

}  // namespace

CASE("every round of a loop is done once, and before it ends") {
    for (const std::size_t size : {1U, 2U, 3U, 8U}) {
        Crew crew(size);
        for (const std::size_t count : {0U, 1U, 2U, 7U, 500U}) {
            std::vector<std::atomic<int>> times(count);
            crew.board.each(0, 1, count, [&](std::size_t round, std::size_t member) {
                times[round].fetch_add(member < size ? 1 : 100);
            });
            for (const auto& time : times) CHECK_EQUAL(time.load(), 1);
        }
    }
}

CASE("loops within loops end, for any number of members") {
    std::set<std::size_t> totals;
    for (const std::size_t size : {1U, 2U, 3U, 5U}) {
        Crew crew(size);
        for (int repeat = 0; repeat < 30; ++repeat) {
            std::atomic<std::size_t> done{0};
            nest(crew.board, 0, 4, 6, done);
            totals.insert(done.load());
        }
    }
    CHECK_EQUAL(totals.size(), std::size_t{1});
}

CASE("who waits for a long round is let into the loops below it") {
    // The last round of the upper loop is the helper's, and ends only when the caller has done a round within it.
    Crew crew(2);
    std::atomic<bool> taken{false}, helped{false};
    bool in_time = true;
    crew.board.each(0, 2, 2, [&](std::size_t, std::size_t member) {
        if (member == 0) {
            in_time = waited_for([&] { return taken.load(); });
            return;
        }
        taken = true;
        crew.board.each(member, 1, 2, [&](std::size_t, std::size_t who) {
            if (who == 0) helped = true;
            waited_for([&] { return helped.load(); });
        });
    });
    CHECK(in_time);
    CHECK(helped.load());
}

CASE("what a round throws comes out at the owner, whoever did the round") {
    for (const std::size_t thrower : {0U, 1U}) {
        Crew crew(2);
        std::atomic<int> inside{0};
        std::atomic<bool> both{false};
        const auto fail = [&] {
            crew.board.each(0, 1, 1000, [&](std::size_t, std::size_t member) {
                if (inside.fetch_add(1) == 1) both = true;
                waited_for([&] { return both.load(); });
                if (member == thrower) throw std::runtime_error("no");
                waited_for([&] { return crew.control.stopped(); });
            });
        };
        CHECK_THROWS(fail(), std::runtime_error);
        CHECK(crew.control.stopped());
        CHECK(inside.load() < 1000);
    }
}

CASE("a caller that only waits still hears of the end") {
    // The caller's poll is asked by the caller alone: it must go on asking while a helper has the last round.
    bool polled = false;
    Crew crew(2, [&](double) { return polled = true; });
    std::atomic<bool> taken{false};
    std::atomic<bool> ended{false};
    crew.board.each(0, 1, 2, [&](std::size_t, std::size_t member) {
        if (member == 0) {
            waited_for([&] { return taken.load(); });
        } else {
            taken = true;
            ended = waited_for([&] { return crew.control.look(member); });
        }
    });
    CHECK(polled);
    CHECK(ended.load());
    CHECK(crew.control.why() == Status::kInterrupted);
}

CASE("a poll that throws while its caller waits ends the loop, and is heard of") {
    Crew crew(2, [&](double) -> bool { throw std::runtime_error("Ctrl-C"); });
    std::atomic<bool> taken{false}, ended{false};
    const auto interrupted = [&] {
        crew.board.each(0, 1, 2, [&](std::size_t, std::size_t member) {
            if (member == 0) {
                waited_for([&] { return taken.load(); });
            } else {
                taken = true;
                ended = waited_for([&] { return crew.control.look(member); });
            }
        });
    };
    CHECK_THROWS(interrupted(), std::runtime_error);
    CHECK(ended.load());
}
