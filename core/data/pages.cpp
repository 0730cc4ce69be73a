#include "data/pages.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <new>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)  // a sanitizer watches malloc, and no pages
#define BOXWOOD_OWN_PAGES
#include <pthread.h>
#include <sys/mman.h>
#endif

namespace boxwood {
namespace {

std::uintptr_t round_up(std::uintptr_t number, std::size_t multiple) {
    return (number + multiple - 1) / multiple * multiple;
}

}  // namespace

void PageRanges::give(std::uintptr_t begin, std::size_t bytes) {
    auto next = bytes_at_.lower_bound(begin);
    if (next != bytes_at_.end() && begin + bytes == next->first) {
        bytes += next->second;
        next = bytes_at_.erase(next);
    }
    if (next != bytes_at_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == begin) {
            before->second += bytes;
            return;
        }
    }
    bytes_at_.emplace_hint(next, begin, bytes);
}

std::optional<std::uintptr_t> PageRanges::take(std::size_t bytes, std::size_t alignment) {
    auto best = bytes_at_.end();
    for (auto at = bytes_at_.begin(); at != bytes_at_.end(); ++at) {
        const std::uintptr_t aligned = round_up(at->first, alignment);
        if (aligned + bytes > at->first + at->second) continue;
        if (best == bytes_at_.end() || at->second < best->second) best = at;
    }
    if (best == bytes_at_.end()) return std::nullopt;
    const auto [begin, length] = *best;
    const std::uintptr_t aligned = round_up(begin, alignment);
    bytes_at_.erase(best);
    if (aligned > begin) bytes_at_[begin] = aligned - begin;
    if (aligned + bytes < begin + length) bytes_at_[aligned + bytes] = begin + length - (aligned + bytes);
    return aligned;
}

#if defined(BOXWOOD_OWN_PAGES)
namespace {

constexpr std::size_t kSlab = 32 * kLargePage;  // asked of the system at once, so that ranges become neighbours

struct Pool {
    std::mutex mutex;
    std::size_t n_keepers = 0;
    PageRanges written, fresh;  // free ranges that hold memory, and those that hold none yet

    Pool() {
        // A process that is forked amid a request finds the pool unlocked and as it was.
        pthread_atfork([] { the().mutex.lock(); }, [] { the().mutex.unlock(); }, [] { the().mutex.unlock(); });
    }
    static Pool& the() {
        static Pool* pool = new Pool;  // arrays may outlive every static object
        return *pool;
    }
};

std::uintptr_t address(const void* pages) {
    return reinterpret_cast<std::uintptr_t>(pages);
}
void unmap(std::uintptr_t begin, std::size_t bytes) {
    if (bytes > 0) munmap(reinterpret_cast<void*>(begin), bytes);
}

// New pages, at a multiple of the alignment.
std::uintptr_t map(std::size_t bytes, std::size_t alignment) {
    void* room = mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) throw std::bad_alloc();
    const std::uintptr_t begin = address(room), aligned = round_up(begin, alignment);
    unmap(begin, aligned - begin);
    unmap(aligned + bytes, begin + alignment - aligned);
    return aligned;
}

}  // namespace

void* allocate_pages(std::size_t bytes, std::size_t page) {
    bytes = round_up(bytes, page);
    Pool& pool = Pool::the();
    const std::lock_guard lock(pool.mutex);
    auto begin = pool.written.take(bytes, page);
    if (!begin) begin = pool.fresh.take(bytes, page);
    if (!begin && pool.n_keepers > 0 && bytes < kSlab) {
        pool.fresh.give(map(kSlab, kLargePage), kSlab);
        begin = pool.fresh.take(bytes, page);
    }
    return reinterpret_cast<void*>(begin ? *begin : map(bytes, page));
}

void free_pages(void* pages, std::size_t bytes, std::size_t page) {
    bytes = round_up(bytes, page);
    Pool& pool = Pool::the();
    const std::lock_guard lock(pool.mutex);
    try {
        if (pool.n_keepers > 0) return pool.written.give(address(pages), bytes);
    } catch (const std::bad_alloc&) {  // no room to remember them
    }
    unmap(address(pages), bytes);
}

KeptPages::KeptPages() {
    const std::lock_guard lock(Pool::the().mutex);
    ++Pool::the().n_keepers;
}
KeptPages::~KeptPages() {
    Pool& pool = Pool::the();
    const std::lock_guard lock(pool.mutex);
    if (--pool.n_keepers > 0) return;
    for (PageRanges* ranges : {&pool.written, &pool.fresh}) {
        for (const auto& [begin, bytes] : ranges->all()) unmap(begin, bytes);
        ranges->clear();
    }
}

#else

void* allocate_pages(std::size_t bytes, std::size_t) {
    return ::operator new(bytes);
}
void free_pages(void* pages, std::size_t, std::size_t) {
    ::operator delete(pages);
}
KeptPages::KeptPages() = default;
KeptPages::~KeptPages() {}

#endif

}  // namespace boxwood
