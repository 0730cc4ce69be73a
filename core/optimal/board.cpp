#include "optimal/board.hpp"

#include <chrono>

namespace boxwood::optimal {

void Board::each(std::size_t member, int height, std::size_t count, const Work& work) {
    if (count <= 1) {
        if (count == 1) work(0, member);
        return;
    }
    Loop loop{work, height, count};
    Lock lock(mutex_);
    loops_.push_back(&loop);
    tell_who_waits();
    take_rounds(loop, member, lock);
    std::erase(loops_, &loop);
    while (loop.helpers > 0) {
        try {
            help_or_wait(member, height, lock);
        } catch (...) {
            // The caller's poll has failed, and the run is stopped: the helpers will soon be back.
            if (!loop.failure) loop.failure = std::current_exception();
        }
    }
    if (loop.failure) std::rethrow_exception(loop.failure);
}

void Board::serve(std::size_t member) {
    Lock lock(mutex_);
    while (!closed_) help_or_wait(member, std::numeric_limits<int>::max(), lock);
}

void Board::close() {
    Lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

// Of those as high, the first posted.
Board::Loop* Board::highest_below(int height) const {
    Loop* best = nullptr;
    for (Loop* loop : loops_) {
        if (loop->height >= height || (best && loop->height <= best->height)) continue;
        if (loop->next.load(std::memory_order_relaxed) < loop->count) best = loop;
    }
    return best;
}

// The lock is held before and after, and not meanwhile.
void Board::take_rounds(Loop& loop, std::size_t member, Lock& lock) {
    lock.unlock();
    std::exception_ptr failure;
    try {
        for (std::size_t round; (round = loop.next.fetch_add(1, std::memory_order_relaxed)) < loop.count;) {
            loop.work(round, member);
        }
    } catch (...) {
        failure = std::current_exception();
        loop.next.store(loop.count, std::memory_order_relaxed);
        control_.stop(Status::kInterrupted);
    }
    lock.lock();
    if (failure && !loop.failure) loop.failure = failure;
}

void Board::help_or_wait(std::size_t member, int height, Lock& lock) {
    if (Loop* loop = highest_below(height)) {
        ++loop->helpers;
        take_rounds(*loop, member, lock);
        if (--loop->helpers == 0) tell_who_waits();
        return;
    }
    // Who waits looks at the clock and at the caller's poll all the same.
    ++waiting_;
    const auto woken = changed_.wait_for(lock, std::chrono::milliseconds(20));
    --waiting_;
    if (woken == std::cv_status::no_timeout || control_.stopped()) return;
    lock.unlock();
    try {
        control_.look(member);
    } catch (...) {
        lock.lock();
        throw;
    }
    lock.lock();
}

void Board::tell_who_waits() {
    if (waiting_ > 0) changed_.notify_all();
}

}  // namespace boxwood::optimal
