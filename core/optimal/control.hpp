// What can end a run: the clock, the caller's poll (Ctrl-C comes that way) and
// the gap. Looked at between tiles of a kernel and between nodes of the search;
// one look costs some tens of nanoseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "threads/monitor.hpp"

namespace boxwood::optimal {

enum class Status : int { kOptimal, kTimeLimit, kMemoryLimit, kGap, kInterrupted };

class Control {
  public:
    using Clock = std::chrono::steady_clock;

    // A negative time limit means none. `n_nodes`, if given, counts the nodes opened, for whoever watches.
    Control(Monitor& monitor, double time_limit, std::atomic<std::int64_t>* n_nodes = nullptr)
        : monitor_(monitor), start_(Clock::now()), limited_(time_limit >= 0), seconds_(time_limit), n_nodes_(n_nodes) {}

    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    // True when the run is to end; asked by every thread, with its number in the team.
    bool look(std::size_t member) {
        if (stopped()) return true;
        monitor_.tick(member, 1'000'000);
        if (monitor_.stopped()) {
            stop(Status::kInterrupted);
        } else if (limited_ && elapsed() >= seconds_) {
            stop(Status::kTimeLimit);
        }
        return stopped();
    }

    void count_node() {
        if (n_nodes_ != nullptr) n_nodes_->fetch_add(1, std::memory_order_relaxed);
    }

    void stop(Status why) {
        int none = 0;
        why_.compare_exchange_strong(none, static_cast<int>(why) + 1);
    }
    bool stopped() const { return why_.load(std::memory_order_relaxed) != 0; }
    Status why() const { return static_cast<Status>(why_.load() - 1); }

  private:
    Monitor& monitor_;
    Clock::time_point start_;
    bool limited_;
    double seconds_;
    std::atomic<int> why_{0};
    std::atomic<std::int64_t>* n_nodes_;
};

}  // namespace boxwood::optimal
