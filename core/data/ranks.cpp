#include "data/ranks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace boxwood {
namespace {

// An integer that orders as the number does: the magnitude's bits above or below the middle. The two zeros are one
// value, and whole numbers of either sign keep their trailing zero bits.
constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;

std::uint64_t order_key(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t magnitude = bits & ~kMiddle;
    return (bits & kMiddle) != 0 ? kMiddle - magnitude : kMiddle + magnitude;
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
    FewKeys few_;
    bool has_missing_ = false;
};

// A column being coded, in parts that know nothing of each other; the parts' numbers become ranks at the end.
class Coding {
  public:
    void begin(const Column& column, std::size_t n_rows, std::size_t n_parts) {
        column_ = column;
        open_ = !column.categorical || static_cast<std::size_t>(column.n_categories) <= kMostCoded;
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
    std::uint8_t rank(std::size_t part, std::size_t row) const { return ranks_[part][codes_[row]]; }

  private:
    Column column_;
    std::vector<PartCoding> parts_;
    std::vector<std::array<std::uint8_t, kMostCoded + 1>> ranks_;  // of each part's numbers
    Buffer<std::uint8_t> codes_;
    std::atomic<bool> open_ = true;
};

// A row and the leading bits of its key.
struct Pair {
    std::uint32_t key;
    std::uint32_t row;
};

struct SortSpace {
    Buffer<Pair> pairs, spare;
    Buffer<std::uint64_t> keys;  // of every row, for some columns
};

// Sorts `pairs` by key, stable; `spare` is as long.
void radix_sort(Buffer<Pair>& pairs, Buffer<Pair>& spare, std::uint32_t largest) {
    constexpr int kDigit = 11;
    constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
    constexpr std::uint32_t kMask = kBuckets - 1;
    const int passes = (std::bit_width(largest) + kDigit - 1) / kDigit;
    std::array<std::array<std::uint32_t, kBuckets>, 3> starts{};
    for (const Pair& pair : pairs) {
        ++starts[0][pair.key & kMask];
        ++starts[1][(pair.key >> kDigit) & kMask];
        ++starts[2][pair.key >> (2 * kDigit)];
    }
    for (int pass = 0; pass < passes; ++pass) {
        auto& start = starts[static_cast<std::size_t>(pass)];
        std::uint32_t sum = 0;
        for (auto& bucket : start) {
            const std::uint32_t count = bucket;
            bucket = sum;
            sum += count;
        }
        const int shift = pass * kDigit;
        for (const Pair& pair : pairs) spare[start[(pair.key >> shift) & kMask]++] = pair;
        pairs.swap(spare);
    }
}

// Pairs that agree in the leading bits, put in the order of the whole key, then of the row.
void sort_run(Pair* begin, Pair* end, const std::uint64_t* keys) {
    const auto before = [keys](const Pair& a, const Pair& b) {
        return keys[a.row] != keys[b.row] ? keys[a.row] < keys[b.row] : a.row < b.row;
    };
    if (end - begin > 16) {
        std::sort(begin, end, before);
        return;
    }
    for (Pair* next = begin + 1; next < end; ++next) {
        const Pair pair = *next;
        Pair* at = next;
        for (; at > begin && before(pair, at[-1]); --at) *at = at[-1];
        *at = pair;
    }
}

constexpr std::uint64_t kNoKey = ~std::uint64_t{0};  // the key of a missing cell; no number has it

std::uint64_t key_of(const Column& column, std::size_t row) {
    if (column.categorical) {
        const std::int32_t code = column.code(row);
        return code < 0 ? kNoKey : static_cast<std::uint64_t>(code);
    }
    const double x = column.number(row);
    return std::isnan(x) ? kNoKey : order_key(x);
}

// Sorts a column whose keys are side by side.
template <class Index>
void sort_column(std::span<const std::uint64_t> keys, SortSpace& space, Buffer<Item<Index>>& out, RankedColumn& meta) {
    const std::size_t n_rows = keys.size();
    std::uint64_t lowest = kNoKey, highest = 0;
    std::size_t known = 0;
    for (const std::uint64_t key : keys) {
        lowest = std::min(lowest, key);
        highest = std::max(highest, key == kNoKey ? 0 : key);
        known += key != kNoKey;
    }
    if (!meta.categorical && known > 0 && (is_infinite(lowest) || is_infinite(highest))) refuse_infinity();
    meta.has_missing = known < n_rows;
    out.resize(n_rows);
    // Zero bits at the end of all keys (whole numbers have many) are left out; then the leading 32 bits may be all.
    std::uint64_t used = 0;
    for (const std::uint64_t key : keys) used |= key == kNoKey ? 0 : key - lowest;
    const std::uint64_t spread = known > 0 ? highest - lowest : 0;
    const int zeros = used == 0 ? 0 : std::countr_zero(used);
    const int shift = std::max(zeros, static_cast<int>(std::bit_width(spread)) - 32);
    const bool cut_off = shift > zeros;  // rows with equal leading bits may differ
    space.pairs.resize(known);
    space.spare.resize(known);
    std::size_t at = 0, last = known;
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (keys[row] == kNoKey) {
            out[last++] = {static_cast<Index>(row), kNoRank<Index>};
        } else {
            space.pairs[at++] = {static_cast<std::uint32_t>((keys[row] - lowest) >> shift),
                                 static_cast<std::uint32_t>(row)};
        }
    }
    radix_sort(space.pairs, space.spare, static_cast<std::uint32_t>(spread >> shift));
    Pair* pairs = space.pairs.data();
    std::size_t rank = 0;
    for (std::size_t begin = 0; begin < known; ++rank) {
        std::size_t end = begin + 1;
        while (end < known && pairs[end].key == pairs[begin].key) ++end;
        const bool mixed = cut_off && end - begin > 1;
        if (mixed) sort_run(pairs + begin, pairs + end, keys.data());
        for (std::size_t i = begin; i < end; ++i) {
            if (mixed && i > begin && keys[pairs[i].row] != keys[pairs[i - 1].row]) ++rank;
            out[i] = {static_cast<Index>(pairs[i].row), static_cast<Index>(rank)};
        }
        begin = end;
    }
    meta.n_values = rank;
}

// A row-major table has neighbouring columns on one cache line: reading a block of rows of many columns at a
// time, rather than column by column, reads it once.
constexpr std::size_t kRowBlock = 256;

template <class Use>
void each_row_block(std::size_t from, std::size_t to, Use use) {
    for (std::size_t begin = from; begin < to; begin += kRowBlock) use(begin, std::min(to, begin + kRowBlock));
}

constexpr std::size_t kLeastPart = 32'768;  // rows coded by one part: its hash tables are small beside them

}  // namespace

template <class Index>
RankedTable<Index> rank_columns(std::span<const Column> columns, std::size_t n_rows, Team& team, Monitor& monitor) {
    RankedTable<Index> table;
    table.n_rows = n_rows;
    table.columns.resize(columns.size());

    // Rows are coded in parts, columns in groups where rows are few: enough pieces for all members.
    const std::size_t n_parts = std::clamp<std::size_t>(n_rows / kLeastPart, 1, team.size() > 1 ? 4 * team.size() : 1);
    const std::size_t n_groups = std::min(columns.size(), n_parts >= team.size() ? 1 : team.size());
    const std::size_t blocks = (n_rows + kRowBlock - 1) / kRowBlock;
    const std::size_t part_rows = (blocks + n_parts - 1) / n_parts * kRowBlock;
    std::vector<Coding> codings(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j) codings[j].begin(columns[j], n_rows, n_parts);
    team.each(n_parts * n_groups, [&](std::size_t piece, std::size_t member) {
        const std::size_t part = piece / n_groups, group = piece % n_groups;
        const std::size_t first = columns.size() * group / n_groups, last = columns.size() * (group + 1) / n_groups;
        const std::size_t from = std::min(n_rows, part * part_rows), to = std::min(n_rows, from + part_rows);
        each_row_block(from, to, [&](std::size_t begin, std::size_t end) {
            for (std::size_t j = first; j < last; ++j) codings[j].read(part, begin, end);
            monitor.tick(member, static_cast<std::int64_t>((end - begin) * (last - first)));
        });
    });
    team.each(columns.size(), [&](std::size_t j, std::size_t) { codings[j].end(table.columns[j]); });

    std::vector<std::size_t> sorted;
    std::vector<const Coding*> coded;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        RankedColumn& column = table.columns[j];
        column.slot = column.coded ? coded.size() : sorted.size();
        if (column.coded) {
            coded.push_back(&codings[j]);
        } else {
            sorted.push_back(j);
        }
    }

    table.sorted.resize(sorted.size());
    // Columns whose keys are laid out at a time: several, but little beside the table.
    std::size_t together = std::clamp<std::size_t>(columns.size() / 8, 1, team.size() > 1 ? 2 : 4);
    if (team.size() > 1 && sorted.size() < 8 * team.size()) together = 1;  // few columns: an even share for each member
    std::vector<SortSpace> spaces(team.size());
    team.each((sorted.size() + together - 1) / together, [&](std::size_t piece, std::size_t member) {
        const std::size_t first = piece * together, last = std::min(sorted.size(), first + together);
        SortSpace& space = spaces[member];
        space.keys.resize((last - first) * n_rows);
        each_row_block(0, n_rows, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = first; i < last; ++i) {
                const Column& column = columns[sorted[i]];
                std::uint64_t* keys = space.keys.data() + (i - first) * n_rows;
                for (std::size_t row = begin; row < end; ++row) keys[row] = key_of(column, row);
            }
        });
        for (std::size_t i = first; i < last; ++i) {
            sort_column<Index>({space.keys.data() + (i - first) * n_rows, n_rows}, space, table.sorted[i],
                               table.columns[sorted[i]]);
            monitor.tick(member, static_cast<std::int64_t>(n_rows));
        }
    });
    spaces.clear();

    table.n_coded = coded.size();
    table.codes.resize(n_rows * coded.size());
    team.each(coded.empty() ? 0 : blocks, [&](std::size_t block, std::size_t) {
        const std::size_t begin = block * kRowBlock, end = std::min(n_rows, begin + kRowBlock);
        const std::size_t part = begin / part_rows;
        for (std::size_t j = 0; j < coded.size(); ++j) {
            for (std::size_t row = begin; row < end; ++row) {
                table.codes[row * coded.size() + j] = coded[j]->rank(part, row);
            }
        }
    });
    return table;
}

template RankedTable<std::uint16_t> rank_columns(std::span<const Column>, std::size_t, Team&, Monitor&);
template RankedTable<std::uint32_t> rank_columns(std::span<const Column>, std::size_t, Team&, Monitor&);

}  // namespace boxwood
