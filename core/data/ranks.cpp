#include "data/ranks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "data/key_sort.hpp"

namespace boxwood {
namespace {

// An integer that orders as the number does: the magnitude's bits above or below the middle. The two zeros are one
// value, and whole numbers of either sign keep their trailing zero bits.
constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;

std::uint64_t order_key(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t magnitude = bits & ~kMiddle;
    // Without a branch, since the signs of a column are often as good as random.
    const std::uint64_t negative = std::uint64_t{0} - (bits >> 63);
    return kMiddle + ((magnitude ^ negative) - negative);
}

double from_order_key(std::uint64_t key) {
    return std::bit_cast<double>(key < kMiddle ? (kMiddle - key) | kMiddle : key - kMiddle);
}

bool is_infinite(std::uint64_t key) {
    return std::isinf(from_order_key(key));
}

[[noreturn]] void refuse_infinity() {
    throw std::domain_error("a number is infinite");
}

// At most 255 distinct keys, each with the order of its arrival.
class FewKeys {
  public:
    FewKeys() { slots_.fill(kEmpty); }
    // The key's number, or -1 when there are too many.
    int number(std::uint64_t key) {
        for (std::size_t slot = (key * 0x9E3779B97F4A7C15u) >> (64 - kBits);; slot = (slot + 1) & (kSlots - 1)) {
            if (slots_[slot] == kEmpty) {
                if (count_ == kMostCoded) return -1;
                slots_[slot] = static_cast<std::int16_t>(count_);
                keys_[count_] = key;
                return static_cast<int>(count_++);
            }
            const auto number = static_cast<std::size_t>(slots_[slot]);
            if (keys_[number] == key) return slots_[slot];
        }
    }
    std::span<const std::uint64_t> keys() const { return {keys_.data(), count_}; }

  private:
    static constexpr int kBits = 10;
    static constexpr std::size_t kSlots = std::size_t{1} << kBits;
    static constexpr std::int16_t kEmpty = -1;
    std::array<std::int16_t, kSlots> slots_;
    std::array<std::uint64_t, kMostCoded> keys_{};
    std::size_t count_ = 0;
};

// One part of the rows of a column being coded: cells are numbered in the order of arrival.
class PartCoding {
  public:
    // Writes the numbers of rows [begin, end) to `codes`; false when there are too many values.
    bool read(const Column& column, std::size_t begin, std::size_t end, std::uint8_t* codes) {
        if (!column.categorical && read_pair(column, begin, end, codes)) return true;
        for (std::size_t row = begin; row < end; ++row) {
            if (column.categorical) {
                const std::int32_t code = column.code(row);
                codes[row] = code < 0 ? kNoCode : static_cast<std::uint8_t>(code);
                has_missing_ |= code < 0;
                continue;
            }
            const double x = column.number(row);
            if (std::isnan(x)) {
                codes[row] = kNoCode;
                has_missing_ = true;
                continue;
            }
            const int number = few_.number(order_key(x));
            if (number < 0) return false;
            codes[row] = static_cast<std::uint8_t>(number);
        }
        return true;
    }
    bool has_missing() const { return has_missing_; }
    std::span<const std::uint64_t> keys() const { return few_.keys(); }

    static constexpr std::uint8_t kNoCode = kMostCoded;

  private:
    // Most few-valued columns are flags, and a flag needs no table: false where a cell is neither of the two values.
    bool read_pair(const Column column, std::size_t begin, std::size_t end, std::uint8_t* codes) const {
        const auto keys = few_.keys();
        if (keys.empty() || keys.size() > 2) return false;
        const double zeroth = from_order_key(keys.front()), first = from_order_key(keys.back());
        unsigned all = 1;
        for (std::size_t row = begin; row < end; ++row) {
            const double x = column.number(row);
            const unsigned is_zeroth = x == zeroth ? 1 : 0, is_first = x == first ? 1 : 0;
            codes[row] = static_cast<std::uint8_t>(is_zeroth ^ 1);
            all &= is_zeroth | is_first;
        }
        return all != 0;
    }

    FewKeys few_;
    bool has_missing_ = false;
};

// A column being coded, in parts that know nothing of each other; the parts' numbers become ranks at the end.
class Coding {
  public:
    void begin(const Column& column, std::size_t n_rows, std::size_t n_parts, bool wide) {
        column_ = column;
        open_ = !wide && (!column.categorical || static_cast<std::size_t>(column.n_categories) <= kMostCoded);
        if (!open_) return;
        codes_.resize(n_rows);
        parts_.resize(n_parts);
        ranks_.resize(n_parts);
    }
    void read(std::size_t part, std::size_t begin, std::size_t end) {
        if (!open_.load(std::memory_order_relaxed)) return;
        if (!parts_[part].read(column_, begin, end, codes_.data())) open_.store(false, std::memory_order_relaxed);
    }
    // Gives the values their ranks.
    void end(RankedColumn& out) {
        std::vector<std::uint64_t> sorted;
        for (const PartCoding& part : parts_) sorted.insert(sorted.end(), part.keys().begin(), part.keys().end());
        std::sort(sorted.begin(), sorted.end());
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
        out.categorical = column_.categorical;
        out.coded = open_ && sorted.size() <= kMostCoded;
        if (!out.coded) {
            codes_ = {};
            return;
        }
        if (!sorted.empty() && (is_infinite(sorted.front()) || is_infinite(sorted.back()))) refuse_infinity();
        out.n_values = column_.categorical ? static_cast<std::size_t>(column_.n_categories) : sorted.size();
        for (const std::uint64_t key : sorted) out.values.push_back(from_order_key(key));
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            auto& rank = ranks_[part];
            for (std::size_t code = 0; code < out.n_values; ++code) rank[code] = static_cast<std::uint8_t>(code);
            const auto keys = parts_[part].keys();
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const auto at = std::lower_bound(sorted.begin(), sorted.end(), keys[i]) - sorted.begin();
                rank[i] = static_cast<std::uint8_t>(at);
            }
            rank[PartCoding::kNoCode] = static_cast<std::uint8_t>(out.n_values);
            out.has_missing |= parts_[part].has_missing();
        }
    }
    // Writes the ranks of some rows of a part, `step` bytes apart, at the rows' places behind `to`.
    void write_ranks(std::size_t part, std::size_t begin, std::size_t end, std::uint8_t* to, std::size_t step) const {
        const std::uint8_t *codes = codes_.data(), *ranks = ranks_[part].data();
        for (std::size_t row = begin; row < end; ++row) to[row * step] = ranks[codes[row]];
    }

    void release() { codes_ = {}; }

  private:
    Column column_;
    std::vector<PartCoding> parts_;
    std::vector<std::array<std::uint8_t, kMostCoded + 1>> ranks_;  // of each part's numbers
    Buffer<std::uint8_t> codes_;
    std::atomic<bool> open_ = true;
};

// What is known of a column's keys once they have been read.
struct KeyFacts {
    std::uint64_t lowest = KeySort::kNoKey, highest = 0;
    std::uint64_t first = KeySort::kNoKey, differing = 0;  // bits in which some key differs from the first one
    std::size_t known = 0;

    void add(std::uint64_t key) {
        if (key == KeySort::kNoKey) return;
        if (known == 0) first = key;
        lowest = std::min(lowest, key);
        highest = std::max(highest, key);
        differing |= key ^ first;
        ++known;
    }
    void add(const KeyFacts& more) {
        if (more.known == 0) return;
        if (known == 0) first = more.first;
        lowest = std::min(lowest, more.lowest);
        highest = std::max(highest, more.highest);
        differing |= more.differing | (first ^ more.first);
        known += more.known;
    }
};

std::uint64_t key_of(const Column& column, std::size_t row) {
    if (column.categorical) {
        const std::int32_t code = column.code(row);
        return code < 0 ? KeySort::kNoKey : static_cast<std::uint64_t>(code);
    }
    const double x = column.number(row);
    return std::isnan(x) ? KeySort::kNoKey : order_key(x);
}

// The keys of a column until it is sorted. In a large table they stand where the items will stand, which are as wide,
// so that the keys of all columns take no memory.
template <class Index>
class Keys {
  public:
    static constexpr bool kInPlace = sizeof(Item<Index>) == sizeof(std::uint64_t);
    using Cell = std::conditional_t<kInPlace, Item<Index>, std::uint64_t>;

    Keys(Cell* cells, std::size_t size) : cells_(cells), size_(size) {}
    std::size_t size() const { return size_; }
    std::uint64_t operator[](std::size_t row) const { return std::bit_cast<std::uint64_t>(cells_[row]); }
    void put(std::size_t row, std::uint64_t key) const { cells_[row] = std::bit_cast<Cell>(key); }

  private:
    Cell* cells_;
    std::size_t size_;
};

// Writes the keys of some rows.
template <class Index>
void lay_keys(const Column column, std::size_t begin, std::size_t end, const Keys<Index> keys, KeyFacts& all) {
    KeyFacts facts = all;
    for (std::size_t row = begin; row < end; ++row) {
        const std::uint64_t key = key_of(column, row);
        keys.put(row, key);
        facts.add(key);
    }
    all = facts;
}

// Which columns have too many values to be coded in some thousand rows already. Neighbouring columns are looked at
// together: they share cache lines.
void mark_wide(std::span<const Column> columns, std::size_t n_rows, std::span<std::uint8_t> wide) {
    std::vector<FewKeys> few(columns.size());
    const std::size_t step = std::max<std::size_t>(1, n_rows / 4096);
    for (std::size_t row = 0; row < n_rows; row += step) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (wide[j] != 0) continue;
            const std::uint64_t key = key_of(columns[j], row);
            if (key != KeySort::kNoKey && few[j].number(key) < 0) wide[j] = 1;
        }
    }
}

// A row and its key, made short.
struct Pair {
    std::uint32_t key;
    std::uint32_t row;
};

struct SortSpace {
    Buffer<std::uint64_t> keys;  // of every row, for some columns, where they do not stand in place
    std::vector<KeyFacts> facts;
    std::vector<std::uint32_t> missing;  // rows
    KeySort key_sort;
    Buffer<Pair> pairs, spare;
};

// Short keys are sorted digit by digit from the last one, in at most two passes, which no other way beats.
constexpr int kDigit = 11;
constexpr int kShort = 2 * kDigit;

// Calls use(key, row) in the order of shorten(key), whose highest is `highest`, once all keys have been read.
template <class Keys, class Shorten, class Use>
void sort_by_digits(const Keys& keys, std::size_t known, std::uint32_t highest, SortSpace& space, Shorten shorten,
                    Use use) {
    constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
    constexpr std::uint32_t kMask = kBuckets - 1;
    std::array<std::array<std::uint32_t, kBuckets>, 2> starts{};
    space.pairs.resize(known);
    space.spare.resize(known);
    std::size_t at = 0;
    for (std::size_t row = 0; row < keys.size(); ++row) {
        if (keys[row] == KeySort::kNoKey) continue;
        const std::uint32_t key = shorten(keys[row]);
        space.pairs[at++] = {key, static_cast<std::uint32_t>(row)};
        ++starts[0][key & kMask];
        ++starts[1][key >> kDigit];
    }
    for (std::size_t pass = 0; pass < (highest > kMask ? 2 : 1); ++pass) {
        auto& start = starts[pass];
        std::uint32_t sum = 0;
        for (auto& bucket : start) {
            const std::uint32_t count = bucket;
            bucket = sum;
            sum += count;
        }
        const int shift = pass == 0 ? 0 : kDigit;
        for (const Pair& pair : space.pairs) space.spare[start[(pair.key >> shift) & kMask]++] = pair;
        space.pairs.swap(space.spare);
    }
    for (const Pair& pair : space.pairs) use(pair.key, pair.row);
}

// Zero bits at the end of all keys (whole numbers have many) are left out.
int zeros_of(const KeyFacts& facts) {
    return facts.differing == 0 ? 0 : std::countr_zero(facts.differing);
}
std::uint64_t spread_of(const KeyFacts& facts) {
    return facts.known == 0 ? 0 : (facts.highest - facts.lowest) >> zeros_of(facts);
}
bool is_short(const KeyFacts& facts) {
    return std::bit_width(spread_of(facts)) <= kShort;
}

// Sorts a column whose keys are laid, perhaps in `out`: it is written when they have been read.
template <class Index>
void sort_column(const Keys<Index> keys, const KeyFacts& facts, SortSpace& space, Stream<Item<Index>>& out,
                 RankedColumn& meta) {
    if (!meta.categorical && facts.known > 0 && (is_infinite(facts.lowest) || is_infinite(facts.highest))) {
        refuse_infinity();
    }
    meta.has_missing = facts.known < keys.size();
    space.missing.clear();
    if (meta.has_missing) {
        for (std::size_t row = 0; row < keys.size(); ++row) {
            if (keys[row] == KeySort::kNoKey) space.missing.push_back(static_cast<std::uint32_t>(row));
        }
    }
    out.resize(keys.size());
    Item<Index>* next = out.data();
    std::size_t rank = 0;
    std::uint64_t previous = 0;  // the lowest key is 0 in each of the ways below
    const auto write = [&](std::uint64_t key, std::uint32_t row) {
        rank += key != previous ? 1 : 0;
        previous = key;
        *next++ = {static_cast<Index>(row), static_cast<Index>(rank)};
    };
    if (is_short(facts)) {
        const int zeros = zeros_of(facts);
        const auto distance = [&](std::uint64_t key) {
            return static_cast<std::uint32_t>((key - facts.lowest) >> zeros);
        };
        sort_by_digits(keys, facts.known, static_cast<std::uint32_t>(spread_of(facts)), space, distance, write);
    } else {
        space.key_sort.sort(keys, facts.lowest, facts.highest, facts.known, [&](std::span<const Keyed> records) {
            for (const Keyed& record : records) write(record.key, record.row);
        });
    }
    meta.n_values = facts.known == 0 ? 0 : rank + 1;
    for (const std::uint32_t row : space.missing) *next++ = {static_cast<Index>(row), kNoRank<Index>};
}

// A row-major table has neighbouring columns on one cache line: reading a block of rows of many columns at a
// time, rather than column by column, reads it once.
constexpr std::size_t kRowBlock = 256;

template <class Use>
void each_row_block(std::size_t from, std::size_t to, Use use) {
    for (std::size_t begin = from; begin < to; begin += kRowBlock) use(begin, std::min(to, begin + kRowBlock));
}

constexpr std::size_t kCached = std::size_t{1} << 22;  // bytes of a table that stay near the processor
constexpr std::size_t kLeastPart = 32'768;             // rows coded by one part: its hash tables are small beside them

}  // namespace

template <class Index>
RankedTable<Index> rank_columns(std::span<const Column> columns, std::size_t n_rows, Team& team, Monitor& monitor) {
    RankedTable<Index> table;
    table.n_rows = n_rows;
    table.columns.resize(columns.size());

    // Rows are coded in parts, columns in groups where rows are few: enough pieces for all members.
    const std::size_t n_parts = std::clamp<std::size_t>(n_rows / kLeastPart, 1, team.size() > 1 ? 8 * team.size() : 1);
    const std::size_t n_groups = std::min(columns.size(), n_parts >= team.size() ? 1 : team.size());
    const std::size_t blocks = (n_rows + kRowBlock - 1) / kRowBlock;
    const std::size_t part_rows = (blocks + n_parts - 1) / n_parts * kRowBlock;
    const auto grid = as_grid(columns);
    const bool cached = n_rows * columns.size() * sizeof(double) <= kCached;
    // Columns that are surely sorted. Keys in place are laid together with the codes of the other columns, so that a
    // large table is read once.
    std::vector<std::uint8_t> wide(columns.size());
    if (!cached) {
        constexpr std::size_t kNeighbours = 8;
        team.each((columns.size() + kNeighbours - 1) / kNeighbours, [&](std::size_t group, std::size_t) {
            const std::size_t first = group * kNeighbours, n = std::min(kNeighbours, columns.size() - first);
            mark_wide(columns.subspan(first, n), n_rows, std::span(wide).subspan(first, n));
        });
    }
    std::vector<Stream<Item<Index>>> lists(columns.size());
    std::vector<KeyFacts> facts(columns.size() * n_parts);  // of the keys that are laid early
    std::vector<Coding> codings(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) {
        codings[j].begin(columns[j], n_rows, n_parts, wide[j] != 0);
        if (Keys<Index>::kInPlace && wide[j] != 0) lists[j].resize(n_rows);
    }
    team.each(n_parts * n_groups, [&](std::size_t piece, std::size_t member) {
        const std::size_t part = piece / n_groups, group = piece % n_groups;
        const std::size_t first = columns.size() * group / n_groups, last = columns.size() * (group + 1) / n_groups;
        const std::size_t from = std::min(n_rows, part * part_rows), to = std::min(n_rows, from + part_rows);
        each_row_block(from, to, [&](std::size_t begin, std::size_t end) {
            if (grid && !cached) bring_in(*grid, begin, end);
            for (std::size_t j = first; j < last; ++j) {
                if (lists[j].empty()) {
                    codings[j].read(part, begin, end);
                } else if constexpr (Keys<Index>::kInPlace) {
                    lay_keys<Index>(columns[j], begin, end, {lists[j].data(), n_rows},
                                    facts[part * columns.size() + j]);
                }
            }
            monitor.tick(member, static_cast<std::int64_t>((end - begin) * (last - first)));
        });
    });
    team.each(columns.size(), [&](std::size_t j, std::size_t) { codings[j].end(table.columns[j]); });

    std::vector<std::size_t> sorted, early, late;  // columns; early: their keys are laid
    std::vector<const Coding*> coded;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        RankedColumn& column = table.columns[j];
        column.slot = column.coded ? coded.size() : sorted.size();
        if (column.coded) {
            coded.push_back(&codings[j]);
        } else {
            sorted.push_back(j);
            (lists[j].empty() ? late : early).push_back(j);
        }
    }
    for (std::size_t part = 1; part < n_parts; ++part) {
        for (std::size_t j = 0; j < columns.size(); ++j) facts[j].add(facts[part * columns.size() + j]);
    }
    // What takes longest comes first, so that all members end at about the same time.
    std::stable_partition(early.begin(), early.end(), [&](std::size_t j) { return !is_short(facts[j]); });

    // Late columns whose keys are laid at a time: several, but little beside the table. One that does not stay in the
    // cache is read again for every such group.
    std::size_t together = std::clamp<std::size_t>(columns.size() / (cached ? 8 : 4), 1, 5);
    if (team.size() > 1) together = std::clamp<std::size_t>(late.size() / (2 * team.size()), 1, together);
    std::vector<SortSpace> spaces(team.size());
    const std::size_t sorts = early.size() + (late.size() + together - 1) / together;
    table.n_coded = coded.size();
    table.codes.resize(n_rows * coded.size());
    // The codes are small pieces of work: they come last, and keep those busy whose columns are sorted.
    team.each(sorts + (coded.empty() ? 0 : blocks), [&](std::size_t piece, std::size_t member) {
        if (piece >= sorts) {
            const std::size_t begin = (piece - sorts) * kRowBlock, end = std::min(n_rows, begin + kRowBlock);
            const std::size_t part = begin / part_rows;
            for (std::size_t j = 0; j < coded.size(); ++j) {
                coded[j]->write_ranks(part, begin, end, table.codes.data() + j, coded.size());
            }
            return;
        }
        SortSpace& space = spaces[member];
        const auto sort = [&](std::size_t j, Keys<Index> keys, const KeyFacts& known) {
            sort_column<Index>(keys, known, space, lists[j], table.columns[j]);
            monitor.tick(member, static_cast<std::int64_t>(n_rows));
        };
        if (piece < early.size()) {
            if constexpr (Keys<Index>::kInPlace) {
                const std::size_t j = early[piece];
                sort(j, {lists[j].data(), n_rows}, facts[j]);
            }
            return;
        }
        const std::size_t first = (piece - early.size()) * together, last = std::min(late.size(), first + together);
        const auto keys_of = [&](std::size_t i) -> Keys<Index> {
            if constexpr (Keys<Index>::kInPlace) {
                return {lists[late[i]].data(), n_rows};
            } else {
                return {space.keys.data() + (i - first) * n_rows, n_rows};
            }
        };
        if constexpr (Keys<Index>::kInPlace) {
            for (std::size_t i = first; i < last; ++i) lists[late[i]].resize(n_rows);
        } else {
            space.keys.resize((last - first) * n_rows);
        }
        space.facts.assign(last - first, {});
        each_row_block(0, n_rows, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = first; i < last; ++i) {
                lay_keys<Index>(columns[late[i]], begin, end, keys_of(i), space.facts[i - first]);
            }
        });
        for (std::size_t i = first; i < last; ++i) sort(late[i], keys_of(i), space.facts[i - first]);
    });
    team.each(spaces.size(), [&](std::size_t i, std::size_t) { spaces[i] = {}; });
    for (const std::size_t j : sorted) table.sorted.push_back(std::move(lists[j]));
    team.each(codings.size(), [&](std::size_t j, std::size_t) { codings[j].release(); });
    return table;
}

template RankedTable<std::uint16_t> rank_columns(std::span<const Column>, std::size_t, Team&, Monitor&);
template RankedTable<std::uint32_t> rank_columns(std::span<const Column>, std::size_t, Team&, Monitor&);

}  // namespace boxwood
