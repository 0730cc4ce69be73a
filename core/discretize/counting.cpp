#include "discretize/counting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace boxwood::discretize {
namespace {

constexpr int kFirstBits = 9;
constexpr std::size_t kMostValues = 8192, kLeastValues = 255;
constexpr std::size_t kMatrix = std::size_t{1} << 18;  // cells of the matrix that are no trouble

constexpr std::uint64_t kFree = 0x7FF8'0000'0000'0B0D;  // a NaN

std::size_t home_of(std::uint64_t key, int bits) {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> (64 - bits));
}

}  // namespace

std::size_t few_values(std::size_t n_rows, std::size_t n_classes) {
    const std::size_t room = kMatrix / std::max<std::size_t>(1, n_classes);
    return std::max(kLeastValues, std::min({kMostValues, room, n_rows / 16}));
}

ValueCounts::ValueCounts(std::size_t most, std::size_t n_classes)
    : most_(most),
      n_classes_(n_classes),
      bits_(kFirstBits),
      slots_(std::size_t{1} << kFirstBits, Slot{kFree, 0}),
      weight_(n_classes, 0.0) {}

std::size_t ValueCounts::find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = home_of(key, bits_);
    while (slots_[slot].key != kFree && slots_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
}

// False if it is one too many.
bool ValueCounts::enter(std::uint64_t key) {
    if (keys_.size() == most_) {
        too_many_ = true;
        return false;
    }
    slots_[find(key)] = {key, static_cast<std::uint32_t>(weight_.size())};
    keys_.push_back(key);
    weight_.resize(weight_.size() + n_classes_, 0.0);
    if (keys_.size() * 2 > slots_.size()) grow();
    return true;
}

void ValueCounts::grow() {
    bits_ += 2;
    slots_.assign(std::size_t{1} << bits_, Slot{kFree, 0});
    std::size_t row = 0;
    for (const std::uint64_t key : keys_) slots_[find(key)] = {key, static_cast<std::uint32_t>(row += n_classes_)};
}

// A cell that is not in its home: new, moved, or missing. False if its value is one too many.
bool ValueCounts::add_slowly(std::uint64_t key, std::int32_t label, double weight) {
    if (std::isnan(std::bit_cast<double>(key))) return true;
    if (slots_[find(key)].key == kFree && !enter(key)) return false;
    weight_[slots_[find(key)].row + static_cast<std::uint32_t>(label)] += weight;
    return true;
}

template <bool kWeighted>
void ValueCounts::add_rows(const Column& column, const Labels& labels, std::size_t begin, std::size_t end) {
    const std::byte* cell = column.data + static_cast<std::ptrdiff_t>(begin) * column.stride;
    const std::int32_t* target = labels.target.data();
    for (std::size_t row = begin; row < end; ++row, cell += column.stride) {
        const Slot* slots = slots_.data();
        double* weight = weight_.data();
        const int bits = bits_;
        std::uint64_t key = 0;
        // The common case by itself, so that it is a short loop.
        for (; row < end; ++row, cell += column.stride) {
            key = std::bit_cast<std::uint64_t>(*reinterpret_cast<const double*>(cell));
            const Slot& slot = slots[home_of(key, bits)];
            if (slot.key != key) break;
            weight[slot.row + static_cast<std::uint32_t>(target[row])] += kWeighted ? labels.weights[row] : 1.0;
        }
        if (row < end && !add_slowly(key, target[row], kWeighted ? labels.weights[row] : 1.0)) return;
    }
}

void ValueCounts::add(const Column& column, const Labels& labels, std::size_t begin, std::size_t end) {
    if (too_many_) return;
    if (labels.weights.empty()) {
        add_rows<false>(column, labels, begin, end);
    } else {
        add_rows<true>(column, labels, begin, end);
    }
}

Groups ValueCounts::groups() const {
    const auto value = [&](std::size_t number) { return std::bit_cast<double>(keys_[number]); };
    std::vector<std::size_t> order(keys_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
    if (!order.empty() && (std::isinf(value(order.front())) || std::isinf(value(order.back())))) {
        throw std::domain_error("a number is infinite");
    }
    Groups out;
    out.values.reserve(order.size());
    out.start.reserve(order.size() + 1);
    std::vector<double> sums(n_classes_);
    for (std::size_t i = 0; i < order.size();) {
        const double x = value(order[i]);
        std::fill(sums.begin(), sums.end(), 0.0);
        for (; i < order.size() && value(order[i]) == x; ++i) {  // the two zeros are one value
            const double* weight = weight_.data() + (order[i] + 1) * n_classes_;
            for (std::size_t k = 0; k < n_classes_; ++k) sums[k] += weight[k];
        }
        for (std::size_t k = 0; k < n_classes_; ++k) {
            if (sums[k] > 0) out.shares.push_back({sums[k], static_cast<std::uint32_t>(k)});
        }
        out.values.push_back(x + 0.0);
        out.start.push_back(out.shares.size());
    }
    return out;
}

}  // namespace boxwood::discretize
