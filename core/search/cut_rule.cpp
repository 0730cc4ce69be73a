#include "search/cut_rule.hpp"

#include "simd.hpp"

namespace boxwood {
namespace {

BOXWOOD_CLONES void mark_inner(const std::uint8_t* change, const std::uint16_t* label, std::size_t n,
                               std::uint8_t* look) {
    for (std::size_t i = 1; i + 2 < n; ++i) {
        const auto differ = static_cast<std::uint8_t>(label[i] != label[i + 1]);
        const auto grouped = static_cast<std::uint8_t>((change[i - 1] & change[i + 1]) ^ 1);
        look[i] = static_cast<std::uint8_t>(change[i] & (differ | grouped));
    }
}

BOXWOOD_CLONES void mark_inner(const std::uint8_t* change, const std::int32_t* ones, std::size_t n,
                               std::uint8_t* look) {
    for (std::size_t i = 1; i + 2 < n; ++i) {
        const auto differ = static_cast<std::uint8_t>(ones[i + 1] - ones[i] != ones[i] - ones[i - 1]);
        const auto grouped = static_cast<std::uint8_t>((change[i - 1] & change[i + 1]) ^ 1);
        look[i] = static_cast<std::uint8_t>(change[i] & (differ | grouped));
    }
}

BOXWOOD_CLONES void mark_even(const std::uint8_t* change, const std::int32_t* ones, std::size_t n, double rows,
                              double all_ones, std::uint8_t* look) {
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const auto l = static_cast<double>(i + 1);
        const double before = ones[i - 1] * rows - all_ones * (l - 1);
        const double here = ones[i] * rows - all_ones * l;
        const double after = ones[i + 1] * rows - all_ones * (l + 1);
        const bool even = before * here <= 0 || here * after <= 0;
        look[i] = static_cast<std::uint8_t>(look[i] | (change[i] & (even ? 1 : 0)));
    }
}

BOXWOOD_CLONES std::int64_t sum_bytes(const std::uint8_t* marks, std::size_t n) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += marks[i];
    return sum;
}

// The cuts at both ends have a neighbour too few: they are looked at.
void mark_outer(std::span<const std::uint8_t> change, std::uint8_t* look) {
    const std::size_t n = change.size();
    for (const std::size_t i : {std::size_t{0}, n - 1, n >= 2 ? n - 2 : 0}) look[i] = change[i];
}

}  // namespace

void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::uint16_t> label, std::uint8_t* look) {
    mark_inner(change.data(), label.data(), change.size(), look);
    mark_outer(change, look);
}

void mark_boundaries(std::span<const std::uint8_t> change, std::span<const std::int32_t> ones, std::uint8_t* look) {
    mark_inner(change.data(), ones.data(), change.size(), look);
    mark_outer(change, look);
}

void mark_equal_shares(std::span<const std::uint8_t> change, std::span<const std::int32_t> ones, double rows,
                       double all_ones, std::uint8_t* look) {
    mark_even(change.data(), ones.data(), change.size(), rows, all_ones, look);
}

std::int64_t count_marks(std::span<const std::uint8_t> marks) {
    return sum_bytes(marks.data(), marks.size());
}

}  // namespace boxwood
