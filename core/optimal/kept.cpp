#include "optimal/kept.hpp"

namespace boxwood::optimal {
namespace {

// A hash of everything that a table depends on: rows, what they count, sizes of leaves, and the first columns.
std::uint64_t mark_of(const Rows& rows, std::size_t n_features) {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    const auto take = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
        hash ^= hash >> 32;
    };
    for (const Word word : rows.all().mask) take(word);
    take(rows.largest);
    take(static_cast<std::uint64_t>(rows.least_sum));
    for (const std::int64_t least : rows.least_further) take(static_cast<std::uint64_t>(least));
    for (const Slice& slice : rows.slices) {
        take(static_cast<std::uint64_t>(slice.plane) << 32 | static_cast<std::uint32_t>(slice.shift));
        take(slice.begin);
        for (const Word word : slice.mask) take(word);
    }
    for (std::size_t i = 0; i < n_features * rows.n_words; ++i) take(rows.columns[i]);
    return hash;
}

}  // namespace

Kept::Kept(const Rows& rows, const Limits& limits, std::size_t room, const Kept* past)
    : n_features_(rows.n_features), mark_(mark_of(rows, rows.n_features)), limits_(limits), room_(room) {
    if (!past || !past->fits(rows)) return;
    const bool same = past->same_problem(rows, limits);
    std::lock_guard lock(past->mutex_);
    if (same) {  // there may be nothing to search, and so no other table
        parts_ = past->parts_;
        choice_ = past->choice_;
    }
    for (const auto& [key, table] : past->tables_) {
        if (!wants(table->bytes())) break;
        tables_.emplace(key, table);
        bytes_ += table->bytes();
    }
}

bool Kept::fits(const Rows& rows) const {
    return n_features_ <= rows.n_features && mark_ == mark_of(rows, n_features_);
}

std::shared_ptr<const Table> Kept::parts(const Rows& rows, const Limits& limits, Choice choice,
                                         std::size_t most) const {
    const bool serves = choice == choice_ && limits == limits_ && fits(rows);
    std::lock_guard lock(mutex_);
    if (!serves || (parts_ && parts_->bytes() > most)) parts_.reset();
    return parts_;
}

std::size_t Kept::parts_bytes() const {
    std::lock_guard lock(mutex_);
    return parts_ ? parts_->bytes() : 0;
}

bool Kept::same_problem(const Rows& rows, const Limits& limits) const {
    return n_features_ == rows.n_features && mark_ == mark_of(rows, n_features_) && limits_ == limits;
}

std::shared_ptr<const PairTable> Kept::find(const std::vector<Word>& mask) const {
    const Key key = key_of(mask, 0, 0);
    std::lock_guard lock(mutex_);
    const auto found = tables_.find(key);
    return found == tables_.end() ? nullptr : found->second;
}

void Kept::add(const std::vector<Word>& mask, PairTable&& table) {
    const Key key = key_of(mask, 0, 0);
    auto fresh = std::make_shared<const PairTable>(std::move(table));
    std::lock_guard lock(mutex_);
    auto& place = tables_[key];
    if (place) bytes_ -= place->bytes();
    bytes_ += fresh->bytes();
    place = std::move(fresh);
}

}  // namespace boxwood::optimal
