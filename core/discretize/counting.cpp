#include "discretize/counting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace boxwood {
namespace {

constexpr int kFirstBits = 9;
constexpr std::size_t kMostValues = 8192, kLeastValues = 255;
constexpr std::size_t kMatrix = std::size_t{1} << 18;  // cells of the matrix that are no trouble

// Equal for equal numbers: the two zeros are one value.
std::uint64_t key_of(double x) {
    return std::bit_cast<std::uint64_t>(x + 0.0);
}

// Whole numbers have their bits at the top, others everywhere.
std::size_t home_of(std::uint64_t key, int bits) {
    return static_cast<std::size_t>(((key ^ (key >> 32)) * 0x9E3779B97F4A7C15u) >> (64 - bits));
}

}  // namespace

std::size_t few_values(std::size_t n_rows, std::size_t n_classes) {
    const std::size_t room = kMatrix / std::max<std::size_t>(1, n_classes);
    return std::max(kLeastValues, std::min({kMostValues, room, n_rows / 16}));
}

ValueCounts::ValueCounts(std::size_t most, std::size_t n_classes)
    : most_(most), n_classes_(n_classes), bits_(kFirstBits), slots_(std::size_t{1} << kFirstBits, Slot{0, 0}) {}

std::size_t ValueCounts::find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = home_of(key, bits_);
    while (slots_[slot].number != 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
}

bool ValueCounts::enter(std::uint64_t key, std::size_t& slot) {
    if (keys_.size() == most_) {
        too_many_ = true;
        return false;
    }
    keys_.push_back(key);
    weight_.resize(keys_.size() * n_classes_, 0.0);
    slots_[slot] = {key, static_cast<std::uint32_t>(keys_.size())};
    if (keys_.size() * 2 > slots_.size()) {
        grow();
        slot = find(key);
    }
    return true;
}

void ValueCounts::grow() {
    bits_ += 2;
    slots_.assign(std::size_t{1} << bits_, Slot{0, 0});
    for (std::size_t number = 0; number < keys_.size(); ++number) {
        slots_[find(keys_[number])] = {keys_[number], static_cast<std::uint32_t>(number + 1)};
    }
}

template <bool kWeighted>
void ValueCounts::add_rows(const Column& column, const Labels& labels, std::size_t begin, std::size_t end) {
    const std::byte* cell = column.data + static_cast<std::ptrdiff_t>(begin) * column.stride;
    const Slot* slots = slots_.data();
    double* weight = weight_.data();
    int bits = bits_;
    for (std::size_t row = begin; row < end; ++row, cell += column.stride) {
        const double x = *reinterpret_cast<const double*>(cell);
        const std::uint64_t key = key_of(x);
        std::size_t slot = home_of(key, bits);
        if (slots[slot].key != key || slots[slot].number == 0) {
            if (std::isnan(x)) continue;
            slot = find(key);
            if (slots[slot].number == 0) {
                if (!enter(key, slot)) return;
                slots = slots_.data();
                weight = weight_.data();
                bits = bits_;
            }
        }
        const std::size_t place = (slots[slot].number - 1) * n_classes_;
        weight[place + static_cast<std::size_t>(labels.target[row])] += kWeighted ? labels.weights[row] : 1.0;
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
    for (const std::size_t number : order) {
        const double* weight = weight_.data() + number * n_classes_;
        for (std::size_t k = 0; k < n_classes_; ++k) {
            if (weight[k] > 0) out.shares.push_back({weight[k], static_cast<std::uint32_t>(k)});
        }
        out.values.push_back(value(number));
        out.start.push_back(out.shares.size());
    }
    return out;
}

}  // namespace boxwood
