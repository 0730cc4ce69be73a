// A vector whose elements start uninitialised: for large arrays that are written
// in full before they are read.
//
// Many such arrays are read by row number, that is anywhere. With pages of 4 KiB
// most of those reads also miss the table of pages, so a Buffer asks for large pages
// where the system gives them only to those who ask (Linux, madvise). The advice
// never fails loudly: without it the same pages are small. A Stream is read and
// written from front to back, in one place or in a few, and does not ask: the kernel
// clears a small page just before it is written, and a large one drives everything
// else out of the cache. In a virtual machine whose host takes free memory back, it
// takes back large pages, and each costs some 4 ms to have again.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "data/pages.hpp"

namespace boxwood {

template <class T, bool kLargePages>
struct Uninitialised : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = Uninitialised<U, kLargePages>;
    };

    T* allocate(std::size_t n) {
        if (!in_pages(n)) return std::allocator<T>::allocate(n);
        void* room = allocate_pages(n * sizeof(T), kMemoryPage);
#if defined(__linux__)
        // Whole pages only are advised, so that the tail takes no more memory than it fills.
        if (kLargePages) madvise(room, n * sizeof(T) / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(room);
    }
    void deallocate(T* room, std::size_t n) {
        if (in_pages(n)) {
            free_pages(room, n * sizeof(T), kMemoryPage);
        } else {
            std::allocator<T>::deallocate(room, n);
        }
    }

    template <class U>
    void construct(U* p) {
        ::new (static_cast<void*>(p)) U;
    }
    template <class U, class... Args>
    void construct(U* p, Args&&... args) {
        ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
    }

  private:
    static constexpr std::size_t kMemoryPage = kLargePages ? kLargePage : kPage;
    static bool in_pages(std::size_t n) { return n >= kLargePage / sizeof(T); }
};

template <class T>
using Buffer = std::vector<T, Uninitialised<T, true>>;
template <class T>
using Stream = std::vector<T, Uninitialised<T, false>>;

}  // namespace boxwood
