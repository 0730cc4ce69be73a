#include "grow/tags.hpp"

#include "simd.hpp"

namespace boxwood {
namespace {

template <class Index>
BOXWOOD_INLINE void changes(const Item<Index>* __restrict items, std::size_t n, Index tag,
                            std::uint8_t* __restrict change) {
    for (std::size_t i = 0; i < n; ++i) change[i] = static_cast<Index>(items[i].rank ^ items[i + 1].rank) > tag;
}

template <class Index>
BOXWOOD_INLINE void changes_and_classes(const Item<Index>* __restrict items, std::size_t n, Index tag,
                                        std::uint8_t* __restrict change, std::uint8_t* __restrict differ) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto other = static_cast<Index>(items[i].rank ^ items[i + 1].rank);
        change[i] = other > tag;
        differ[i] = static_cast<std::uint8_t>(other & 1);
    }
}

template <class Index>
BOXWOOD_INLINE std::int32_t running_ones(const Item<Index>* __restrict items, std::size_t n, std::int32_t sum,
                                         std::int32_t* __restrict ones) {
#pragma omp simd reduction(inscan, + : sum)
    for (std::size_t i = 0; i < n; ++i) {
        sum += items[i].rank & 1;
#pragma omp scan inclusive(sum)
        ones[i] = sum;
    }
    return sum;
}

template <class Index>
BOXWOOD_INLINE void labels(const Item<Index>* __restrict items, std::size_t n, Index tag,
                           std::uint16_t* __restrict label) {
    for (std::size_t i = 0; i < n; ++i) label[i] = static_cast<std::uint16_t>(items[i].rank & tag);
}

using Short = Item<std::uint16_t>;
using Long = Item<std::uint32_t>;

BOXWOOD_CLONES void change_loop(const Short* items, std::size_t n, std::uint16_t tag, std::uint8_t* change) {
    changes(items, n, tag, change);
}
BOXWOOD_CLONES void change_loop(const Long* items, std::size_t n, std::uint32_t tag, std::uint8_t* change) {
    changes(items, n, tag, change);
}
BOXWOOD_CLONES void both_loop(const Short* items, std::size_t n, std::uint16_t tag, std::uint8_t* change,
                              std::uint8_t* differ) {
    changes_and_classes(items, n, tag, change, differ);
}
BOXWOOD_CLONES void both_loop(const Long* items, std::size_t n, std::uint32_t tag, std::uint8_t* change,
                              std::uint8_t* differ) {
    changes_and_classes(items, n, tag, change, differ);
}
BOXWOOD_CLONES std::int32_t ones_loop(const Short* items, std::size_t n, std::int32_t before, std::int32_t* ones) {
    return running_ones(items, n, before, ones);
}
BOXWOOD_CLONES std::int32_t ones_loop(const Long* items, std::size_t n, std::int32_t before, std::int32_t* ones) {
    return running_ones(items, n, before, ones);
}
BOXWOOD_CLONES void label_loop(const Short* items, std::size_t n, std::uint16_t tag, std::uint16_t* label) {
    labels(items, n, tag, label);
}
BOXWOOD_CLONES void label_loop(const Long* items, std::size_t n, std::uint32_t tag, std::uint16_t* label) {
    labels(items, n, tag, label);
}

template <class Index>
void note(std::span<const Item<Index>> items, Index tag, std::uint8_t* change, std::uint8_t* differ) {
    if (items.size() < 2) return;
    if (differ == nullptr) {
        change_loop(items.data(), items.size() - 1, tag, change);
    } else {
        both_loop(items.data(), items.size() - 1, tag, change, differ);
    }
}

}  // namespace

void note_changes(std::span<const Short> items, std::uint16_t tag, std::uint8_t* change, std::uint8_t* differ) {
    note(items, tag, change, differ);
}
void note_changes(std::span<const Long> items, std::uint32_t tag, std::uint8_t* change, std::uint8_t* differ) {
    note(items, tag, change, differ);
}

std::int32_t count_ones(std::span<const Short> items, std::int32_t before, std::int32_t* ones) {
    return ones_loop(items.data(), items.size(), before, ones);
}
std::int32_t count_ones(std::span<const Long> items, std::int32_t before, std::int32_t* ones) {
    return ones_loop(items.data(), items.size(), before, ones);
}

void take_labels(std::span<const Short> items, std::uint16_t tag, std::uint16_t* label) {
    label_loop(items.data(), items.size(), tag, label);
}
void take_labels(std::span<const Long> items, std::uint32_t tag, std::uint16_t* label) {
    label_loop(items.data(), items.size(), tag, label);
}

}  // namespace boxwood
