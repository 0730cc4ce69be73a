// Progress, cancelling and Ctrl-C.
//
// The caller's poll is asked from the calling thread only, at most every 50
// milliseconds (or another pause), with the share of rows that have reached
// their leaf. It may answer that growth shall stop (open nodes then become
// leaves, and the tree is valid), or throw, which ends the call.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace boxwood {

class Monitor {
  public:
    using Poll = std::function<bool(double done)>;
    using Pause = std::chrono::milliseconds;
    explicit Monitor(Poll poll, Pause pause = Pause(50)) : poll_(std::move(poll)), pause_(pause) {}

    void begin(std::int64_t n_rows) { n_rows_ = n_rows; }
    void settle(std::int64_t rows) { settled_.fetch_add(rows, std::memory_order_relaxed); }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    // Called by every member between pieces of work; member 0, the calling thread, polls. `work` is what was
    // done since the last call, in cells read or so.
    void tick(std::size_t member, std::int64_t work) {
        if (member != 0 || !poll_) return;
        since_ += work;
        if (since_ < 2000) return;
        since_ = 0;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < pause_) return;
        last_ = now;
        const double all = n_rows_ > 0 ? static_cast<double>(n_rows_) : 1.0;
        try {
            if (poll_(static_cast<double>(settled_.load(std::memory_order_relaxed)) / all)) stop();
        } catch (...) {
            stop();  // the other threads shall not work on in vain
            throw;
        }
    }
    void stop() { stop_.store(true, std::memory_order_relaxed); }

  private:
    Poll poll_;
    Pause pause_;
    std::int64_t n_rows_ = 0, since_ = 0;
    std::atomic<std::int64_t> settled_{0};
    std::atomic<bool> stop_{false};
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace boxwood
