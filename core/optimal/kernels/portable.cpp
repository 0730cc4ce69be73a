// The kernels for any machine: vectors of 16 bytes where the compiler has them
// as a language extension (it then uses what the machine has), else arrays.
#include <bit>
#include <cstring>

#include "optimal/kernels/local.hpp"

namespace boxwood::optimal {
namespace {

#if defined(__GNUC__)
template <class T>
struct Pack {
    typedef T V __attribute__((vector_size(16)));
};
template <class T>
using Vector = typename Pack<T>::V;
template <class V>
V pick(V a, V b, bool smaller) {
    const auto less = a < b;
    return smaller ? (less ? a : b) : (less ? b : a);
}
#else
template <class T>
struct Vector {
    T lane[16 / sizeof(T)];
    T& operator[](std::size_t i) { return lane[i]; }
    const T& operator[](std::size_t i) const { return lane[i]; }
};
#endif

template <class T>
struct Lanes {
    using V = Vector<T>;
    static constexpr std::size_t kCount = 16 / sizeof(T);

    template <class F>
    static V each(F f) {
        V out;
        for (std::size_t i = 0; i < kCount; ++i) out[i] = static_cast<T>(f(i));
        return out;
    }
    static V load(const T* p) {
        V v;
        std::memcpy(&v, p, 16);
        return v;
    }
    static void store(T* p, V v) { std::memcpy(p, &v, 16); }
    static V set(T x) {
        return each([&](std::size_t) { return x; });
    }
    static V zero() { return set(0); }
    static V ones() { return set(static_cast<T>(~T{0})); }
    static T smallest(V a) {
        T found = a[0];
        for (std::size_t i = 1; i < kCount; ++i) found = a[i] < found ? a[i] : found;
        return found;
    }
    static T largest(V a) {
        T found = a[0];
        for (std::size_t i = 1; i < kCount; ++i) found = a[i] > found ? a[i] : found;
        return found;
    }
#if defined(__GNUC__)
    static V add(V a, V b) { return a + b; }
    static V sub(V a, V b) { return a - b; }
    static V min(V a, V b) { return pick(a, b, true); }
    static V max(V a, V b) { return pick(a, b, false); }
    static V either(V a, V b) { return a | b; }
    static V without(V a, V b) { return a & ~b; }
    static V less(V a, V b) { return (V)(a < b); }
#else
    static V add(V a, V b) {
        return each([&](std::size_t i) { return a[i] + b[i]; });
    }
    static V sub(V a, V b) {
        return each([&](std::size_t i) { return a[i] - b[i]; });
    }
    static V min(V a, V b) {
        return each([&](std::size_t i) { return a[i] < b[i] ? a[i] : b[i]; });
    }
    static V max(V a, V b) {
        return each([&](std::size_t i) { return a[i] < b[i] ? b[i] : a[i]; });
    }
    static V either(V a, V b) {
        return each([&](std::size_t i) { return a[i] | b[i]; });
    }
    static V without(V a, V b) {
        return each([&](std::size_t i) { return a[i] & ~b[i]; });
    }
    static V less(V a, V b) {
        return each([&](std::size_t i) { return a[i] < b[i] ? static_cast<T>(~T{0}) : T{0}; });
    }
#endif
};

struct Simd {
    static constexpr std::size_t kBytes = 16, kRows = 8;
    using Bytes = Lanes<std::uint8_t>;
    using V = Bytes::V;

    static int popcount(std::uint64_t word) { return std::popcount(word); }
    static int lowest(std::uint64_t word) { return std::countr_zero(word); }
    static std::uint64_t extract(std::uint64_t word, std::uint64_t chosen) {
        std::uint64_t out = 0;
        for (std::uint64_t bit = 1; chosen != 0; chosen &= chosen - 1, bit <<= 1) {
            if (word & chosen & (~chosen + 1)) out |= bit;
        }
        return out;
    }
    static V load(const std::uint8_t* p) { return Bytes::load(p); }
    static void store(std::uint8_t* p, V v) { Bytes::store(p, v); }
    static V zero() { return Bytes::zero(); }
    static V add(V a, V b) { return Bytes::add(a, b); }
    static V key(std::uint8_t rows) { return Bytes::set(rows); }
    // The number of rows that both have, byte by byte: neighbouring bits, pairs and nibbles are added up in words.
    static V match(V key, V rows) {
#if defined(__GNUC__)
        auto x = (Vector<std::uint64_t>)(key & rows);
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (V)((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL);
#else
        return Bytes::each([&](std::size_t i) { return std::popcount(static_cast<std::uint8_t>(key[i] & rows[i])); });
#endif
    }
    template <class T, bool kAdd>
    static void put(T* out, V counts, int shift) {
        std::uint8_t lane[kBytes];
        store(lane, counts);
        for (std::size_t i = 0; i < kBytes; ++i) {
            const T value = static_cast<T>(static_cast<T>(lane[i]) << shift);
            out[i] = kAdd ? static_cast<T>(out[i] + value) : value;
        }
    }
    template <class T>
    static void set_to(T* out, V counts, int shift) {
        put<T, false>(out, counts, shift);
    }
    template <class T>
    static void add_to(T* out, V counts, int shift) {
        put<T, true>(out, counts, shift);
    }
};

#include "optimal/kernels/triples.hpp"

}  // namespace

const Functions& portable_functions() {
    static const Functions functions{
        Simd::kBytes, Simd::kRows,
        support,      compact,
        expand,       {count<std::uint8_t>, count<std::uint16_t>, count<std::uint32_t>, count<std::uint64_t>}};
    return functions;
}

}  // namespace boxwood::optimal
