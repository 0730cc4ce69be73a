// Compiler function multi-versioning: one body, compiled for several
// instruction sets, chosen when the program starts. Where the compiler or the
// system lacks it, the portable version is the only one.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(BOXWOOD_PORTABLE)
#define BOXWOOD_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BOXWOOD_CLONES
#endif
