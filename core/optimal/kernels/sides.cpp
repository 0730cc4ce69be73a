#include "optimal/kernels/sides.hpp"

#include <algorithm>
#include <type_traits>

#include "simd.hpp"

namespace boxwood::optimal {
namespace {

// Numbers that hold sums of a few T, and more than any of them.
template <class T>
using Wide = std::conditional_t<(sizeof(T) > 2), std::int64_t, std::int32_t>;
template <class N>
constexpr N kTooSmall = N{1} << (sizeof(N) * 8 - 4);

// The pairs (f, g), g > f.
template <class T>
struct Pairs {
    const T* best;  // four rows of `width`: the cells (0, 0), (0, 1), (1, 0), (1, 1)
    std::size_t width, f, n;
    Wide<T> sign;          // -1 where the table holds right weight
    const Wide<T>* both;   // by g: the size of the cell (1, 1); null: cells of any size will do
    const Wide<T>* ones;   // by g: the size of g = 1
    Wide<T> total, least;  // of the part; of a leaf
    Wide<T>*zero, *one;    // by feature: the sides so far
};

template <bool kMasked, class T>
BOXWOOD_INLINE void pair_up(const Pairs<T>& given) {
    using N = Wide<T>;
    const Pairs<T> p = given;
    const T *const m0 = p.best, *const m1 = m0 + p.width, *const m2 = m1 + p.width, *const m3 = m2 + p.width;
    N* __restrict const zero = p.zero;
    N* __restrict const one = p.one;
    N first = zero[p.f], second = one[p.f];
    const N in_f = kMasked ? p.ones[p.f] : 0;
    for (std::size_t g = p.f + 1; g < p.n; ++g) {
        N a = p.sign * static_cast<N>(m0[g]), b = p.sign * static_cast<N>(m1[g]);
        N c = p.sign * static_cast<N>(m2[g]), d = p.sign * static_cast<N>(m3[g]);
        if constexpr (kMasked) {
            const N both = p.both[g], in_g = p.ones[g];
            a += p.total - in_f - in_g + both < p.least ? kTooSmall<N> : 0;
            b += in_g - both < p.least ? kTooSmall<N> : 0;
            c += in_f - both < p.least ? kTooSmall<N> : 0;
            d += both < p.least ? kTooSmall<N> : 0;
        }
        const N left = a + b, right = c + d, up = a + c, down = b + d;
        first = left < first ? left : first;
        second = right < second ? right : second;
        zero[g] = up < zero[g] ? up : zero[g];
        one[g] = down < one[g] ? down : one[g];
    }
    zero[p.f] = first;
    one[p.f] = second;
}

template <class T>
BOXWOOD_INLINE void pair_up_any(const Pairs<T>& p) {
    if (p.both != nullptr) {
        pair_up<true>(p);
    } else {
        pair_up<false>(p);
    }
}
BOXWOOD_CLONES void pair_all(const Pairs<std::uint8_t>& p) {
    pair_up_any(p);
}
BOXWOOD_CLONES void pair_all(const Pairs<std::uint16_t>& p) {
    pair_up_any(p);
}
void pair_all(const Pairs<std::uint32_t>& p) {
    pair_up_any(p);
}
void pair_all(const Pairs<std::uint64_t>& p) {
    pair_up_any(p);
}

}  // namespace

template <class T>
void find_sides(const Local& local, Form form, bool masked, std::vector<Cost>& side) {
    using N = Wide<T>;
    const std::size_t n = local.n, width = local.width, planes = local.n_planes, every = planes + local.n_further;
    const T* single = static_cast<const T*>(local.single);
    const T* pairs = static_cast<const T*>(local.pairs);
    const bool largest = form == Form::kLargest;
    std::vector<N> room(4 * n, 0);
    N *const zero = room.data(), *const one = zero + n, *const ones = one + n, *const both = ones + n;
    N total = 0;
    for (std::size_t p = 0; p < planes; ++p) total += masked ? static_cast<N>(local.sums[p]) : 0;
    for (std::size_t f = 0; f < n; ++f) {
        N value[2] = {};
        for (std::size_t p = 0; p < planes; ++p) {
            const auto in = static_cast<N>(single[p * width + f]), out = static_cast<N>(local.sums[p]) - in;
            value[0] = p == 0 ? out : largest ? std::max(value[0], out) : std::min(value[0], out);
            value[1] = p == 0 ? in : largest ? std::max(value[1], in) : std::min(value[1], in);
            ones[f] += masked ? in : 0;
        }
        zero[f] = largest ? -value[0] : value[0];
        one[f] = largest ? -value[1] : value[1];
    }
    const T* best = static_cast<const T*>(local.best);
    const auto least = static_cast<N>(std::min<std::int64_t>(local.least_sum, kTooSmall<N>));
    for (std::size_t f = 0; f + 1 < n; ++f) {
        if (masked) {
            std::fill(both + f + 1, both + n, N{0});
            for (std::size_t p = 0; p < planes; ++p) {
                const T* row = pairs + (f * every + p) * width;
                for (std::size_t g = f + 1; g < n; ++g) both[g] += static_cast<N>(row[g]);
            }
        }
        pair_all(Pairs<T>{best + f * 4 * width, width, f, n, static_cast<N>(largest ? -1 : 1), masked ? both : nullptr,
                          ones, total, least, zero, one});
    }
    side.resize(2 * n);
    for (std::size_t f = 0; f < n; ++f) {
        side[2 * f] = zero[f];
        side[2 * f + 1] = one[f];
    }
}

template void find_sides<std::uint8_t>(const Local&, Form, bool, std::vector<Cost>&);
template void find_sides<std::uint16_t>(const Local&, Form, bool, std::vector<Cost>&);
template void find_sides<std::uint32_t>(const Local&, Form, bool, std::vector<Cost>&);
template void find_sides<std::uint64_t>(const Local&, Form, bool, std::vector<Cost>&);

}  // namespace boxwood::optimal
