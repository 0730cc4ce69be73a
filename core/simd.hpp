// Hints for the processor and the compiler.
//
// Compiler function multi-versioning: one body, compiled for several
// instruction sets, chosen when the program starts. It needs gcc and the GNU C
// library (the choice is made by its loader); elsewhere, and with
// BOXWOOD_PORTABLE, the portable version is the only one.
#pragma once

#include <cstddef>  // defines __GLIBC__ where that is the C library

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && !defined(BOXWOOD_PORTABLE)
#if __GNUC__ >= 12  // older ones know no levels of the architecture here
#define BOXWOOD_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define BOXWOOD_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define BOXWOOD_CLONES
#endif

// The body of such a function, which several of them share, must become a part of each.
#if defined(__GNUC__)
#define BOXWOOD_INLINE [[gnu::always_inline]] inline
#else
#define BOXWOOD_INLINE inline
#endif

namespace boxwood {

// What stands there will be read soon.
inline void prefetch([[maybe_unused]] const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place);
#endif
}
inline void prefetch_to_write([[maybe_unused]] void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place, 1);
#endif
}

}  // namespace boxwood
