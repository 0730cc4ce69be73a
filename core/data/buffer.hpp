// A vector whose elements start uninitialised: for large arrays that are written
// in full before they are read.
//
// Many such arrays are read by row number, that is anywhere. With pages of 4 KiB
// most of those reads also miss the table of pages, and the first write to every
// page is a trap into the kernel, so a Buffer asks for large pages where the system
// gives them only to those who ask (Linux, madvise). The advice never fails loudly:
// without it the same pages are small. A Stream is written once, from front to back,
// and does not ask: the kernel clears a small page just before it is written, and a
// large one drives everything else out of the cache.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace boxwood {

inline constexpr std::size_t kLargePage = std::size_t{1} << 21;

template <class T, bool kLargePages>
struct Uninitialised : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = Uninitialised<U, kLargePages>;
    };

    T* allocate(std::size_t n) {
#if defined(__linux__)
        if (large(n)) {
            // Whole pages only are advised, so that the tail takes no more memory than it fills.
            void* room = nullptr;
            if (posix_memalign(&room, kLargePage, n * sizeof(T)) != 0) throw std::bad_alloc();
            madvise(room, n * sizeof(T) / kLargePage * kLargePage, MADV_HUGEPAGE);
            return static_cast<T*>(room);
        }
#endif
        return std::allocator<T>::allocate(n);
    }
    void deallocate(T* room, std::size_t n) {
#if defined(__linux__)
        if (large(n)) {
            std::free(room);
            return;
        }
#endif
        std::allocator<T>::deallocate(room, n);
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
    static bool large(std::size_t n) { return kLargePages && n >= kLargePage / sizeof(T); }
};

template <class T>
using Buffer = std::vector<T, Uninitialised<T, true>>;
template <class T>
using Stream = std::vector<T, Uninitialised<T, false>>;

}  // namespace boxwood
