#include "search/cut_rule.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simd.hpp"

namespace boxwood {
namespace {

BOXWOOD_CLONES void mark_inner(const std::uint8_t* change, const std::uint16_t* label, std::size_t from, std::size_t to,
                               std::uint8_t* look) {
    for (std::size_t i = from; i < to; ++i) {
        const auto differ = static_cast<std::uint8_t>(label[i] != label[i + 1]);
        const auto grouped = static_cast<std::uint8_t>((change[i - 1] & change[i + 1]) ^ 1);
        look[i] = static_cast<std::uint8_t>(change[i] & (differ | grouped));
    }
}

BOXWOOD_CLONES void mark_inner(const std::uint8_t* change, const std::int32_t* ones, std::size_t from, std::size_t to,
                               std::uint8_t* look) {
    for (std::size_t i = from; i < to; ++i) {
        const auto differ = static_cast<std::uint8_t>(ones[i + 1] - ones[i] != ones[i] - ones[i - 1]);
        const auto grouped = static_cast<std::uint8_t>((change[i - 1] & change[i + 1]) ^ 1);
        look[i] = static_cast<std::uint8_t>(change[i] & (differ | grouped));
    }
}

BOXWOOD_CLONES void mark_inner(const std::uint8_t* change, const std::uint8_t* differ, std::size_t from, std::size_t to,
                               std::uint8_t* look) {
    for (std::size_t i = from; i < to; ++i) {
        const auto grouped = static_cast<std::uint8_t>((change[i - 1] & change[i + 1]) ^ 1);
        look[i] = static_cast<std::uint8_t>(change[i] & (differ[i] | grouped));
    }
}

// The side on which class 1 is more frequent, for the first n cuts of a list: 1 left, 2 right, 0 neither.
BOXWOOD_CLONES void lead_of(const std::int32_t* ones, std::size_t first, std::size_t n, double rows, double all_ones,
                            std::uint8_t* lead) {
    for (std::size_t j = 0; j < n; ++j) {
        const double d = ones[first + j] * rows - all_ones * static_cast<double>(first + j + 1);
        lead[j] = static_cast<std::uint8_t>((d > 0 ? 1 : 0) | (d < 0 ? 2 : 0));
    }
}

BOXWOOD_CLONES void mark_changes(const std::uint8_t* change, const std::uint8_t* lead, std::size_t n,
                                 std::uint8_t* look) {
    for (std::size_t j = 0; j < n; ++j) {
        const int even = (lead[j] != lead[j + 1]) | (lead[j + 1] != lead[j + 2]) | (lead[j + 1] == 0);
        look[j] = static_cast<std::uint8_t>(look[j] | (change[j] & even));
    }
}

std::uint64_t eight(const std::uint8_t* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// Bytes that are 0 or 1 are added eight at a time, up to 255 times before they are added up. `words(i, sums)` adds
// those from i on, `one(i, totals)` a single one; there are as many sums as things that are counted.
template <std::size_t kSums, class Words, class One>
[[gnu::always_inline]] inline void add_bytes(std::size_t from, std::size_t to, std::int64_t* totals, Words words,
                                             One one) {
    std::size_t i = from;
    while (i + 8 <= to) {
        const std::size_t n = std::min<std::size_t>(255, (to - i) / 8);
        std::uint64_t bytes[kSums] = {};
        for (std::size_t j = 0; j < n; ++j) words(i + 8 * j, bytes);
        for (std::size_t k = 0; k < kSums; ++k) {
            for (; bytes[k] != 0; bytes[k] >>= 8) totals[k] += static_cast<std::int64_t>(bytes[k] & 0xFF);
        }
        i += 8 * n;
    }
    for (; i < to; ++i) one(i, totals);
}

BOXWOOD_CLONES std::int64_t sum_bytes(const std::uint8_t* marks, std::size_t n) {
    std::int64_t sum = 0;
    add_bytes<1>(
        0, n, &sum, [=](std::size_t i, std::uint64_t* sums) { sums[0] += eight(marks + i); },
        [=](std::size_t i, std::int64_t* totals) { totals[0] += marks[i]; });
    return sum;
}

// How many cuts there are, and how many marks mark_inner() would make.
BOXWOOD_CLONES void count_inner(const std::uint8_t* change, const std::uint8_t* differ, std::size_t from,
                                std::size_t to, std::int64_t* totals) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    add_bytes<2>(
        from, to, totals,
        [=](std::size_t i, std::uint64_t* sums) {
            const std::uint64_t here = eight(change + i);
            const std::uint64_t grouped = (eight(change + i - 1) & eight(change + i + 1)) ^ kOnes;
            sums[0] += here;
            sums[1] += here & (eight(differ + i) | grouped);
        },
        [=](std::size_t i, std::int64_t* sums) {
            sums[0] += change[i];
            sums[1] += change[i] & (differ[i] | ((change[i - 1] & change[i + 1]) ^ 1));
        });
}

// A stretch of the cuts whose two neighbours are known; those at both ends are looked at.
template <class Mark>
void mark_stretch(std::span<const std::uint8_t> change, const Mark* marks, std::size_t from, std::size_t to,
                  std::uint8_t* look) {
    const std::size_t n = change.size();
    mark_inner(change.data(), marks, std::max<std::size_t>(from, 1), std::min(to, n - 2), look);
    if (from == 0) look[0] = change[0];
    for (std::size_t i = std::max(from, n - 2); i < to; ++i) look[i] = change[i];
}

}  // namespace

void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::uint16_t> label, std::size_t from,
                     std::size_t to, std::uint8_t* look) {
    mark_stretch(change, label.data(), from, to, look);
}

void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::int32_t> ones, std::size_t from,
                     std::size_t to, std::uint8_t* look) {
    mark_stretch(change, ones.data(), from, to, look);
}

void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::uint8_t> differ, std::size_t from,
                     std::size_t to, std::uint8_t* look) {
    mark_stretch(change, differ.data(), from, to, look);
}

CutCounts count_boundaries(std::span<const std::uint8_t> change, std::span<const std::uint8_t> differ, std::size_t from,
                           std::size_t to) {
    const std::size_t n = change.size();
    const std::size_t first = std::max<std::size_t>(from, 1), last = std::min(to, n - 2);
    std::int64_t totals[2] = {};
    if (first < last) count_inner(change.data(), differ.data(), first, last, totals);
    std::int64_t ends = from == 0 ? change[0] : 0;
    for (std::size_t i = std::max(from, n - 2); i < to; ++i) ends += change[i];
    return {totals[0] + ends, totals[1] + ends};
}

void mark_equal_shares(std::span<const std::uint8_t> change, std::span<const std::int32_t> ones, double rows,
                       double all_ones, std::uint8_t* look) {
    constexpr std::size_t kBlock = 32;
    std::array<std::uint8_t, kBlock + 2> lead;
    // From one row to the next D changes by this much at most: far from zero it keeps its sign for a whole block.
    const double reach = static_cast<double>(kBlock + 2) * std::max(all_ones, rows - all_ones);
    for (std::size_t first = 1; first + 1 < change.size(); first += kBlock) {
        const std::size_t n = std::min(kBlock, change.size() - 1 - first);
        if (std::fabs(ones[first] * rows - all_ones * static_cast<double>(first + 1)) > reach) continue;
        lead_of(ones.data(), first - 1, n + 2, rows, all_ones, lead.data());
        mark_changes(change.data() + first, lead.data(), n, look + first);
    }
}

std::int64_t count_marks(std::span<const std::uint8_t> marks) {
    return sum_bytes(marks.data(), marks.size());
}

}  // namespace boxwood
