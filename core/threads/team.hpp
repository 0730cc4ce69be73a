// A team of threads that lives as long as one call.
//
// each(count, work) runs work(index, member) for every index in [0, count);
// the caller is member 0 and takes part. Indices are handed out one by one, so
// who does which is left to chance: work must not depend on it. An exception
// thrown by a piece of work is rethrown in the caller after the others end. Who
// has nothing to do watches for a moment before it sleeps: growth calls the team
// several times per node, and waking a thread takes longer than many a piece.
// The destructor joins every thread: none survives the call that made the team.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace boxwood {

class Team {
  public:
    using Work = std::function<void(std::size_t index, std::size_t member)>;

    explicit Team(std::size_t size);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    std::size_t size() const { return threads_.size() + 1; }
    void each(std::size_t count, const Work& work);

  private:
    void serve(std::size_t member);
    void take_part(std::size_t member);

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable called_, finished_;
    const Work* work_ = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> busy_{0};  // these three change under the mutex only
    std::atomic<std::size_t> round_{0};
    std::atomic<bool> closing_{false};
    std::size_t asleep_ = 0;
    std::exception_ptr failure_;
};

// Calls use(from, to) for stretches of [begin, end), a few for each member of the team.
template <class Use>
void each_stretch(std::size_t begin, std::size_t end, Team& team, Use use) {
    const std::size_t n = end - begin, parts = team.size() > 1 ? 8 * team.size() : 1;
    team.each(parts, [&](std::size_t i, std::size_t) { use(begin + n * i / parts, begin + n * (i + 1) / parts); });
}

}  // namespace boxwood
