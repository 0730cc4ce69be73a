// A vector whose elements start uninitialised: for large arrays that are written
// in full before they are read.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace boxwood {

template <class T>
struct Uninitialised : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = Uninitialised<U>;
    };
    template <class U>
    void construct(U* p) {
        ::new (static_cast<void*>(p)) U;
    }
    template <class U, class... Args>
    void construct(U* p, Args&&... args) {
        ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
    }
};

template <class T>
using Buffer = std::vector<T, Uninitialised<T>>;

}  // namespace boxwood
