// Rows in the order of 64-bit keys, where the keys are too wide to sort by all of their digits.
//
// The order-preserving integers of float64 numbers crowd: half of the numbers in [0, 1) share sign and exponent, and a
// column of both signs spans nearly all 64 bits. Digits from the top therefore say little, and digits from the
// bottom are many passes over the whole column. So:
//
//   1. A sample of the keys tells how they crowd. The range of keys is cut into equal cells; light neighbours share
//      a bucket, a heavy cell is cut again into a power of two of buckets. Every bucket then has about kBucket
//      rows, and a key finds its bucket by one look at the table of cells.
//   2. One counting pass and one scattering pass bring each key, with its row, into its bucket.
//   3. A bucket, which lies in the first-level cache, is spread by the leading bits in which *its* keys differ, into
//      about as many parts as it has rows; what is still out of order then is put right by insertion. A part that
//      stays long is spread again, so the sample decides the speed and never the result.
//
// Three reads of the column and one scattered write, whatever the width: O(rows), and O(rows * 64 / 5) at worst.
// Rows with equal keys stay in row order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/buffer.hpp"
#include "simd.hpp"

namespace boxwood {

struct Keyed {
    std::uint64_t key;
    std::uint32_t row;
};

class KeySort {
  public:
    static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};  // of a row to be left out

    // Calls use(records) for one stretch of the order after the other. keys[row] is the key of a row; but for kNoKey,
    // they are `known` in number and lie in [lowest, highest]. No key is read any more when `use` is called first.
    template <class Keys, class Use>
    void sort(const Keys& keys, std::uint64_t lowest, std::uint64_t highest, std::size_t known, Use use) {
        lay_cells(keys, lowest, highest, known);
        scatter(keys, lowest, known);
        std::size_t begin = 0;
        for (const std::size_t end : ends_) {
            const std::span<Keyed> bucket(records_.data() + begin, end - begin);
            if (bucket.size() > spare_.size()) spare_.resize(bucket.size());
            use(std::span<const Keyed>(put_in_order(bucket, spare_.data())));
            begin = end;
        }
    }

  private:
    static constexpr std::size_t kBucket = 512;      // rows aimed at
    static constexpr std::size_t kSample = 1 << 16;  // keys looked at to lay the cells
    static constexpr int kMostCellBits = 16;
    static constexpr int kMostSpreadBits = 10;
    static constexpr std::size_t kInserted = 24;  // rows that are put in order by insertion alone
    static constexpr std::size_t kAhead = 32;     // rows whose places are on the way from memory

    struct Cell {
        std::uint32_t bucket;  // the first one of the cell
        std::uint32_t shift;   // the key's bits below the cell's, shifted by this, are added
    };

    template <class Keys>
    void lay_cells(const Keys& keys, std::uint64_t lowest, std::uint64_t highest, std::size_t known) {
        const int width = std::bit_width(highest - lowest);
        const int cell_bits =
            std::min({kMostCellBits, width, std::max(1, static_cast<int>(std::bit_width(known)) - 4)});
        cell_shift_ = width - cell_bits;
        cells_.assign(std::size_t{1} << cell_bits, Cell{0, 63});
        const std::size_t step = std::max<std::size_t>(1, keys.size() / kSample);
        for (std::size_t row = 0; row < keys.size(); row += step) {
            if (keys[row] != kNoKey) ++cells_[(keys[row] - lowest) >> cell_shift_].bucket;
        }
        const std::size_t enough = std::max<std::size_t>(1, kBucket / step);
        std::uint32_t next = 0;
        std::size_t gathered = 0;  // sampled keys in bucket `next`
        for (Cell& cell : cells_) {
            const std::size_t count = cell.bucket;
            if (count < 2 * enough) {
                cell.bucket = next;
                gathered += count;
            } else {
                next += gathered > 0 ? 1 : 0;
                const int bits = std::min(cell_shift_, static_cast<int>(std::bit_width(count / enough)) - 1);
                cell = {next, static_cast<std::uint32_t>(cell_shift_ - bits)};
                next += std::uint32_t{1} << bits;
                gathered = 0;
            }
            if (gathered >= enough) {
                ++next;
                gathered = 0;
            }
        }
        ends_.assign(next + 1, 0);
    }

    std::size_t bucket_of(std::uint64_t key) const {  // of a key less the lowest one
        const Cell cell = cells_[key >> cell_shift_];
        return cell.bucket + ((key & ((std::uint64_t{1} << cell_shift_) - 1)) >> cell.shift);
    }

    template <class Keys>
    void scatter(const Keys& keys, std::uint64_t lowest, std::size_t known) {
        for (std::size_t row = 0; row < keys.size(); ++row) {
            if (keys[row] != kNoKey) ++ends_[bucket_of(keys[row] - lowest)];
        }
        std::uint32_t sum = 0;
        for (std::uint32_t& end : ends_) {
            const std::uint32_t count = end;
            end = sum;
            sum += count;
        }
        records_.resize(known);
        // A record goes where nothing has been written lately: its place is asked for some rows before.
        std::array<std::uint32_t, kAhead> ahead{};  // the buckets of the next rows
        const auto look_ahead = [&](std::size_t row) {
            if (row >= keys.size() || keys[row] == kNoKey) return;
            const std::size_t bucket = bucket_of(keys[row] - lowest);
            ahead[row % kAhead] = static_cast<std::uint32_t>(bucket);
            prefetch_to_write(records_.data() + ends_[bucket]);
        };
        for (std::size_t row = 0; row < kAhead; ++row) look_ahead(row);
        for (std::size_t row = 0; row < keys.size(); ++row) {
            const std::size_t bucket = ahead[row % kAhead];
            look_ahead(row + kAhead);
            if (keys[row] == kNoKey) continue;
            records_[ends_[bucket]++] = {keys[row] - lowest, static_cast<std::uint32_t>(row)};
        }
    }

    static void insert(std::span<Keyed> records) {
        for (std::size_t i = 1; i < records.size(); ++i) {
            if (records[i - 1].key <= records[i].key) continue;
            const Keyed record = records[i];
            std::size_t at = i;
            for (; at > 0 && records[at - 1].key > record.key; --at) records[at] = records[at - 1];
            records[at] = record;
        }
    }

    // The records in order, where they were or in the spare room, which is as large.
    static std::span<Keyed> put_in_order(std::span<Keyed> records, Keyed* spare) {
        if (records.size() <= kInserted) {
            insert(records);
            return records;
        }
        std::uint64_t lowest = kNoKey, highest = 0;
        for (const Keyed& record : records) {
            lowest = std::min(lowest, record.key);
            highest = std::max(highest, record.key);
        }
        if (lowest == highest) return records;
        const int width = std::bit_width(highest - lowest);
        const int bits = std::min({width, kMostSpreadBits, static_cast<int>(std::bit_width(records.size()))});
        const int shift = width - bits;
        std::array<std::uint32_t, std::size_t{1} << kMostSpreadBits> ends;
        const std::span<std::uint32_t> parts(ends.data(), std::size_t{1} << bits);
        std::fill(parts.begin(), parts.end(), 0u);
        for (const Keyed& record : records) ++parts[(record.key - lowest) >> shift];
        std::uint32_t sum = 0, longest = 0;
        for (std::uint32_t& part : parts) {
            const std::uint32_t count = part;
            part = sum;
            sum += count;
            longest = std::max(longest, count);
        }
        for (const Keyed& record : records) spare[parts[(record.key - lowest) >> shift]++] = record;
        const std::span<Keyed> spread(spare, records.size());
        if (shift == 0) return spread;
        if (longest <= kInserted) {
            insert(spread);
            return spread;
        }
        std::size_t begin = 0;
        for (const std::size_t end : parts) {
            const std::span<Keyed> part = spread.subspan(begin, end - begin);
            const std::span<Keyed> ordered = put_in_order(part, records.data() + begin);
            if (ordered.data() != part.data()) std::copy(ordered.begin(), ordered.end(), part.begin());
            begin = end;
        }
        return spread;
    }

    int cell_shift_ = 0;
    std::vector<Cell> cells_;
    std::vector<std::uint32_t> ends_;  // of the buckets
    Buffer<Keyed> records_, spare_;
};

}  // namespace boxwood
