// The rows that an engine grows a (sub)tree on, and their stable partition.
//
// A node is a range [begin, end) of `rows` and, at the same places, of every
// sorted column; splitting a node partitions all of these lists stably by the
// branch of each row, so that every list stays in order without any sorting.
// Coded columns stay where they are and are read through `rows`.
//
// The class of a row stands in the low bits of its item's rank where there is
// room ("tagged" columns), so that a search reads the list and nothing else. Of a
// number to be learned, the leading bits stand there.
//
// A node of at most 65,534 rows can be taken out as a Sample of its own with
// 16-bit row numbers and ranks: half the memory traffic, and labels, codes and
// lists that fit the cache.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/ranks.hpp"
#include "grow/partition.hpp"
#include "threads/team.hpp"

namespace boxwood {

// How many of these items, of a sorted column, have a value: they stand in front.
template <class Index>
std::size_t known_of(std::span<const Item<Index>> items, const RankedColumn& column) {
    if (!column.has_missing) return items.size();
    return static_cast<std::size_t>(
        std::partition_point(items.begin(), items.end(),
                             [](const Item<Index>& item) { return item.rank != kNoRank<Index>; }) -
        items.begin());
}

// Numbers cut into 2^bits grades of equal width.
struct Grades {
    double low = 0, step = 0;
    int bits = 0;
    std::uint32_t of(double number) const {
        const auto grade = static_cast<std::int64_t>((number - low) / step);
        return static_cast<std::uint32_t>(std::min(grade, (std::int64_t{1} << bits) - 1));
    }
};

template <class Index>
struct Sample {
    std::size_t n_rows = 0;
    std::shared_ptr<const std::vector<RankedColumn>> columns;
    std::size_t n_coded = 0;
    Buffer<std::uint8_t> codes;
    std::vector<Stream<Item<Index>>> sorted;
    std::vector<std::uint8_t> distinct;  // by sorted column: no two rows have the same value, none is missing
    std::vector<int> tag_bits;           // by sorted column: low bits of a rank that hold the class; 0: not tagged
    Buffer<std::uint8_t> label8;         // classes, when there are at most 256
    Buffer<std::uint16_t> label16;       // classes, otherwise
    Buffer<double> response;             // numbers to learn instead of classes, or empty
    Grades grades;                       // of these, in the tags
    Buffer<std::uint16_t> grade;         // of each row, then
    Buffer<double> weight;               // empty: all weights are 1
    Buffer<Index> rows;
    Buffer<std::uint32_t> origin;  // row in the caller's table; empty: the same number
    Buffer<std::uint8_t> branch;   // of each row, while its node is split
    Buffer<std::uint32_t> wide;    // the same, where there are more branches than a few; made when it is needed

    // All rows, without a target as yet.
    Sample(RankedTable<Index>&& table, std::span<const double> weights, Team& team)
        : n_rows(table.n_rows),
          columns(std::make_shared<const std::vector<RankedColumn>>(std::move(table.columns))),
          n_coded(table.n_coded),
          codes(std::move(table.codes)),
          sorted(std::move(table.sorted)),
          weight(weights.begin(), weights.end()),
          rows(n_rows),
          branch(n_rows) {
        each_stretch(0, n_rows, team, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) rows[i] = static_cast<Index>(i);
        });
        tag_bits.assign(sorted.size(), 0);
        distinct.assign(sorted.size(), 0);
        for (const RankedColumn& column : *columns) {
            if (!column.coded) distinct[column.slot] = column.n_values == n_rows && !column.categorical;
        }
    }

    // Numbers to learn. With `tag`, sorted columns without missing rows are tagged with their leading bits.
    void set_response(std::span<const double> target, bool tag, Team& team) {
        response.assign(target.begin(), target.end());
        const int room = std::min(12, 31 - static_cast<int>(std::bit_width(n_rows)));
        if (!tag || sizeof(Index) < 4 || room < 6) return;
        const auto [least, most] = std::minmax_element(target.begin(), target.end());
        if (!(*least < *most)) return;
        grades = {*least, std::ldexp(*most - *least, -room) * (1 + 1e-12), room};
        if (!(grades.step > 0)) return;
        std::vector<std::size_t> tagged;
        for (const RankedColumn& column : *columns) {
            if (!column.coded && !column.categorical && !column.has_missing) tagged.push_back(column.slot);
        }
        grade.resize(n_rows);
        for (std::size_t i = 0; i < n_rows; ++i) grade[i] = static_cast<std::uint16_t>(grades.of(response[i]));
        team.each(tagged.size(), [&](std::size_t i, std::size_t) {
            tag_bits[tagged[i]] = room;
            for (Item<Index>& item : sorted[tagged[i]]) {
                item.rank = static_cast<Index>(item.rank << room | grade[item.row]);
            }
        });
    }

    void set_labels(std::span<const std::int32_t> target, std::size_t n_classes, Team& team) {
        if (n_classes <= 256) {
            label8.resize(n_rows);
        } else {
            label16.resize(n_rows);
        }
        each_stretch(0, n_rows, team, [&](std::size_t begin, std::size_t end) {
            if (n_classes <= 256) {
                std::transform(target.begin() + static_cast<std::ptrdiff_t>(begin),
                               target.begin() + static_cast<std::ptrdiff_t>(end), label8.data() + begin,
                               [](std::int32_t label) { return static_cast<std::uint8_t>(label); });
            } else {
                std::transform(target.begin() + static_cast<std::ptrdiff_t>(begin),
                               target.begin() + static_cast<std::ptrdiff_t>(end), label16.data() + begin,
                               [](std::int32_t label) { return static_cast<std::uint16_t>(label); });
            }
        });
        const int bits = std::bit_width(n_classes - 1);
        std::vector<std::size_t> tagged;
        for (const RankedColumn& column : *columns) {
            if (!column.coded && room_for(column.n_values, bits)) tagged.push_back(column.slot);
        }
        team.each(tagged.size(), [&](std::size_t i, std::size_t) {
            tag_bits[tagged[i]] = bits;
            for (Item<Index>& item : sorted[tagged[i]]) {
                if (item.rank != kNoRank<Index>) item.rank = static_cast<Index>(item.rank << bits | label8[item.row]);
            }
        });
    }

    // The rows of a node of `parent`, with the sorted columns that are named. `number` has room for every
    // row of the parent; the places of this node's rows are written.
    template <class Wide>
    Sample(const Sample<Wide>& parent, std::size_t begin, std::size_t end, std::span<const std::size_t> slots,
           Buffer<std::uint16_t>& number)
        : n_rows(end - begin), columns(parent.columns), n_coded(parent.n_coded), rows(n_rows), branch(n_rows) {
        sorted.resize(parent.sorted.size());
        codes.resize(n_rows * n_coded);
        origin.resize(n_rows);
        if (!parent.label8.empty()) label8.resize(n_rows);
        if (!parent.label16.empty()) label16.resize(n_rows);
        if (!parent.response.empty()) response.resize(n_rows);
        if (!parent.weight.empty()) weight.resize(n_rows);
        for (std::size_t i = 0; i < n_rows; ++i) {
            const std::size_t row = parent.rows[begin + i];
            rows[i] = static_cast<Index>(i);
            number[row] = static_cast<std::uint16_t>(i);
            origin[i] = parent.origin_of(row);
            if (!label8.empty()) label8[i] = parent.label8[row];
            if (!label16.empty()) label16[i] = parent.label16[row];
            if (!response.empty()) response[i] = parent.response[row];
            if (!weight.empty()) weight[i] = parent.weight[row];
            std::copy_n(parent.codes.data() + row * n_coded, n_coded, codes.data() + i * n_coded);
        }
        tag_bits.assign(sorted.size(), 0);
        distinct = parent.distinct;
        for (const std::size_t slot : slots) {
            const Item<Wide>* from = parent.sorted[slot].data() + begin;
            auto& to = sorted[slot];
            to.resize(n_rows);
            if (!response.empty() && distinct[slot]) {
                for (std::size_t i = 0; i < n_rows; ++i) {
                    to[i] = {static_cast<Index>(number[from[i].row]), static_cast<Index>(i)};
                }
                continue;
            }
            const int old_bits = parent.tag_bits[slot];
            std::size_t n_values = 0;
            for (std::size_t i = 0; i < n_rows && from[i].rank != kNoRank<Wide>; ++i) {
                n_values += i == 0 || parent.differ(from[i - 1], from[i], slot);
            }
            const int bits = response.empty() && room_for(n_values, old_bits) ? old_bits : 0;
            tag_bits[slot] = bits;
            std::size_t rank = 0;
            for (std::size_t i = 0; i < n_rows; ++i) {
                const auto row = static_cast<Index>(number[from[i].row]);
                if (from[i].rank == kNoRank<Wide>) {
                    to[i] = {row, kNoRank<Index>};
                    continue;
                }
                if (i > 0 && parent.differ(from[i - 1], from[i], slot)) ++rank;
                const std::size_t tag = from[i].rank & ((std::size_t{1} << bits) - 1);
                to[i] = {row, static_cast<Index>(rank << bits | tag)};
            }
        }
    }

    // The rows of a node in the order of a sorted column.
    std::span<const Item<Index>> items_of(const RankedColumn& column, std::size_t begin, std::size_t end) const {
        return {sorted[column.slot].data() + begin, end - begin};
    }
    // Do two neighbours in a sorted column have different values?
    bool differ(const Item<Index>& a, const Item<Index>& b, std::size_t slot) const {
        return (a.rank >> tag_bits[slot]) != (b.rank >> tag_bits[slot]);
    }
    std::uint32_t origin_of(std::size_t row) const {
        return origin.empty() ? static_cast<std::uint32_t>(row) : origin[row];
    }
    std::size_t label(std::size_t row) const { return label8.empty() ? label16[row] : label8[row]; }
    double weight_of(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
    std::uint8_t code(std::size_t row, std::size_t slot) const { return codes[row * n_coded + slot]; }

    // Puts the rows of [begin, end) in the order of their branch, stably, in `rows` and the sorted
    // columns named. Lists are handed to the team one by one.
    void partition(std::size_t begin, std::size_t end, std::size_t n_branches, std::span<const std::size_t> slots,
                   Team& team, std::vector<Stream<Item<Index>>>& spare) {
        const std::size_t n = end - begin;
        if (n_branches == 2) mark_second(begin, end, team);
        team.each(slots.size() + 1, [&](std::size_t list, std::size_t member) {
            auto& space = spare[member];
            if (space.size() < n + kPartitionSlack) space.resize(n + kPartitionSlack);
            const auto put = [&](auto* items, auto* room, auto row_of) {
                if (n_branches == 2) {
                    divide_list(items + begin, n, second_.data(), room);
                } else {
                    partition_list(items + begin, items + end, room, n_branches, row_of);
                }
            };
            if (list == slots.size()) {
                // Items are as large as two row numbers: the same spare room will do.
                put(rows.data(), reinterpret_cast<Index*>(space.data()), [](Index row) { return row; });
            } else {
                put(sorted[slots[list]].data(), space.data(), [](const Item<Index>& item) { return item.row; });
            }
        });
    }

    // The same by `wide`, for many branches: every list in one walk. `starts`: where the rows of each begin.
    void scatter(std::size_t begin, std::size_t end, std::span<const std::size_t> starts,
                 std::span<const std::size_t> slots, Team& team, std::vector<Stream<Item<Index>>>& spare) {
        const std::size_t n = end - begin;
        team.each(slots.size() + 1, [&](std::size_t list, std::size_t member) {
            auto& space = spare[member];
            if (space.size() < n + kPartitionSlack) space.resize(n + kPartitionSlack);
            std::vector<std::size_t> next(starts.begin(), starts.end());
            const auto put = [&](auto* items, auto* room, auto row_of) {
                for (std::size_t i = begin; i < end; ++i) room[next[wide[row_of(items[i])]]++ - begin] = items[i];
                std::copy(room, room + n, items + begin);
            };
            if (list == slots.size()) {
                put(rows.data(), reinterpret_cast<Index*>(space.data()), [](Index row) { return row; });
            } else {
                put(sorted[slots[list]].data(), space.data(), [](const Item<Index>& item) { return item.row; });
            }
        });
    }

  private:
    // Is there room for ranks below n_values with this many bits more? (More classes than 256 are not tagged.)
    bool room_for(std::size_t n_values, int bits) const {
        return bits > 0 && bits <= 8 && (n_values << bits) < kNoRank<Index>;
    }

    // The branches of a node's rows as bits, see partition.hpp.
    void mark_second(std::size_t begin, std::size_t end, Team& team) {
        constexpr std::size_t kWord = 32;
        second_.resize(n_rows / kWord + 1);
        const std::size_t parts = team.size() > 1 ? 8 * team.size() : 1;
        // Rows ascend: a part begins where a word does, so that no two parts write to the same one.
        const auto start_of = [&](std::size_t part) {
            std::size_t i = begin + (end - begin) * part / parts;
            while (i > begin && i < end && rows[i] / kWord == rows[i - 1] / kWord) ++i;
            return i;
        };
        team.each(parts, [&](std::size_t part, std::size_t) {
            const std::size_t to = start_of(part + 1);
            for (std::size_t i = start_of(part); i < to; ++i) {
                const std::size_t row = rows[i], shift = row % kWord;
                std::uint32_t& word = second_[row / kWord];
                word = (word & ~(std::uint32_t{1} << shift)) | std::uint32_t{branch[row]} << shift;
            }
        });
    }

    template <class T, class RowOf>
    void partition_list(T* begin, T* end, T* spare, std::size_t n_branches, RowOf row_of) const {
        // Rows of the first branch move up in place, the others wait in the spare room; again for the rest.
        for (std::uint8_t first = 0; first + 1u < n_branches; ++first) {
            T* kept = begin;
            T* waiting = spare;
            for (const T* from = begin; from < end; ++from) {
                const T item = *from;
                const bool stays = branch[row_of(item)] == first;
                *kept = item;
                *waiting = item;
                kept += stays;
                waiting += !stays;
            }
            std::copy(spare, waiting, kept);
            begin = kept;
        }
    }

    std::vector<std::uint32_t> second_;  // rows of the second branch, as bits, while their node is split
};

}  // namespace boxwood
