#include "threads/team.hpp"

#include <algorithm>
#include <system_error>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace boxwood {

namespace {

void breathe() {
#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
    asm volatile("yield");
#endif
}

// Waits some ten microseconds at most.
template <class Happened>
void watch_for(Happened happened) {
    for (int i = 0; i < 1000 && !happened(); ++i) breathe();
}

}  // namespace

Team::Team(std::size_t size) {
    constexpr std::size_t kMost = 256;  // far more than helps; a system may abort rather than refuse a thread
    try {
        for (std::size_t member = 1; member < std::min(size, kMost); ++member) {
            threads_.emplace_back([this, member] { serve(member); });
        }
    } catch (const std::system_error&) {
        // The system gives no more threads: work with those that there are.
    }
}

Team::~Team() {
    {
        std::lock_guard lock(mutex_);
        closing_ = true;
    }
    called_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void Team::each(std::size_t count, const Work& work) {
    if (threads_.empty() || count <= 1) {
        for (std::size_t index = 0; index < count; ++index) work(index, 0);
        return;
    }
    bool wake = false;
    {
        std::lock_guard lock(mutex_);
        work_ = &work;
        count_ = count;
        next_ = 0;
        failure_ = nullptr;
        busy_ = threads_.size();
        ++round_;
        wake = asleep_ > 0;
    }
    if (wake) called_.notify_all();
    take_part(0);
    watch_for([this] { return busy_ == 0; });
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return busy_ == 0; });
    work_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
}

void Team::serve(std::size_t member) {
    std::size_t seen = 0;
    for (;;) {
        watch_for([&] { return closing_ || round_ != seen; });
        {
            std::unique_lock lock(mutex_);
            ++asleep_;
            called_.wait(lock, [&] { return closing_ || round_ != seen; });
            --asleep_;
            if (closing_) return;
            seen = round_;
        }
        take_part(member);
        std::lock_guard lock(mutex_);
        if (--busy_ == 0) finished_.notify_one();
    }
}

void Team::take_part(std::size_t member) {
    try {
        for (std::size_t index; (index = next_.fetch_add(1)) < count_;) (*work_)(index, member);
    } catch (...) {
        std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = count_;
    }
}

}  // namespace boxwood
