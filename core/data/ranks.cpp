#include "data/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace boxwood {
namespace {

// An integer that orders as the number does; the two zeros are one value.
std::uint64_t order_key(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
    return bits ^ ((bits >> 63) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}

double from_order_key(std::uint64_t key) {
    return std::bit_cast<double>(key ^ ((key >> 63) != 0 ? std::uint64_t{1} << 63 : ~std::uint64_t{0}));
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

// Fills codes and returns true if the column has at most 255 values.
bool code_numbers(const Column& column, std::size_t n_rows, Buffer<std::uint8_t>& codes, RankedColumn& out) {
    FewKeys few;
    codes.resize(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double x = column.number(row);
        if (std::isnan(x)) {
            out.has_missing = true;
            codes[row] = 0;
            continue;
        }
        const int number = few.number(order_key(x));
        if (number < 0) return false;
        codes[row] = static_cast<std::uint8_t>(number);
    }
    const auto keys = few.keys();
    std::vector<std::uint64_t> sorted(keys.begin(), keys.end());
    std::sort(sorted.begin(), sorted.end());
    std::array<std::uint8_t, kMostCoded> rank{};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        rank[i] = static_cast<std::uint8_t>(std::lower_bound(sorted.begin(), sorted.end(), keys[i]) - sorted.begin());
    }
    for (std::size_t row = 0; row < n_rows; ++row) codes[row] = rank[codes[row]];
    if (out.has_missing) {
        for (std::size_t row = 0; row < n_rows; ++row) {
            if (std::isnan(column.number(row))) codes[row] = static_cast<std::uint8_t>(sorted.size());
        }
    }
    out.n_values = sorted.size();
    for (const std::uint64_t key : sorted) out.values.push_back(from_order_key(key));
    return true;
}

void code_categories(const Column& column, std::size_t n_rows, Buffer<std::uint8_t>& codes, RankedColumn& out) {
    codes.resize(n_rows);
    out.n_values = static_cast<std::size_t>(column.n_categories);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const std::int32_t code = column.code(row);
        out.has_missing |= code < 0;
        codes[row] = static_cast<std::uint8_t>(code < 0 ? column.n_categories : code);
    }
}

// A row and the leading bits of its key.
struct Pair {
    std::uint32_t key;
    std::uint32_t row;
};

struct SortSpace {
    Buffer<Pair> pairs, spare;
    Buffer<std::uint64_t> keys;  // of every row, side by side
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

// The keys of a column, and how many cells are known.
std::size_t fill_keys(const Column& column, std::size_t n_rows, std::uint64_t* keys) {
    std::size_t known = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (column.categorical) {
            const std::int32_t code = column.code(row);
            keys[row] = code < 0 ? kNoKey : static_cast<std::uint64_t>(code);
        } else {
            const double x = column.number(row);
            keys[row] = std::isnan(x) ? kNoKey : order_key(x);
        }
        known += keys[row] != kNoKey;
    }
    return known;
}

template <class Index>
void sort_column(const Column& column, std::size_t n_rows, SortSpace& space, Buffer<Item<Index>>& out,
                 RankedColumn& meta) {
    space.keys.resize(n_rows);
    const std::uint64_t* keys = space.keys.data();
    const std::size_t known = fill_keys(column, n_rows, space.keys.data());
    meta.has_missing = known < n_rows;
    std::uint64_t lowest = kNoKey, highest = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        lowest = std::min(lowest, keys[row]);
        if (keys[row] != kNoKey) highest = std::max(highest, keys[row]);
    }
    out.resize(n_rows);
    const std::uint64_t spread = known > 0 ? highest - lowest : 0;
    const int shift = std::max(0, static_cast<int>(std::bit_width(spread)) - 32);
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
        const bool mixed = shift > 0 && end - begin > 1;
        if (mixed) sort_run(pairs + begin, pairs + end, keys);
        for (std::size_t i = begin; i < end; ++i) {
            if (mixed && i > begin && keys[pairs[i].row] != keys[pairs[i - 1].row]) ++rank;
            out[i] = {static_cast<Index>(pairs[i].row), static_cast<Index>(rank)};
        }
        begin = end;
    }
    meta.n_values = rank;
}

}  // namespace

template <class Index>
RankedTable<Index> rank_columns(std::span<const Column> columns, std::size_t n_rows, Team& team) {
    RankedTable<Index> table;
    table.n_rows = n_rows;
    table.columns.resize(columns.size());
    std::vector<Buffer<std::uint8_t>> codes(columns.size());
    std::vector<Buffer<Item<Index>>> sorted(columns.size());
    std::vector<SortSpace> spaces(team.size());
    team.each(columns.size(), [&](std::size_t j, std::size_t member) {
        RankedColumn& out = table.columns[j];
        out.categorical = columns[j].categorical;
        if (!out.categorical) {
            out.coded = code_numbers(columns[j], n_rows, codes[j], out);
        } else if (static_cast<std::size_t>(columns[j].n_categories) <= kMostCoded) {
            code_categories(columns[j], n_rows, codes[j], out);
            out.coded = true;
        }
        if (!out.coded) {
            codes[j] = {};
            sort_column(columns[j], n_rows, spaces[member], sorted[j], out);
        }
    });
    spaces.clear();
    std::vector<const std::uint8_t*> coded;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        RankedColumn& column = table.columns[j];
        if (column.coded) {
            column.slot = coded.size();
            coded.push_back(codes[j].data());
        } else {
            column.slot = table.sorted.size();
            table.sorted.push_back(std::move(sorted[j]));
        }
    }
    table.n_coded = coded.size();
    table.codes.resize(n_rows * coded.size());
    constexpr std::size_t kBlock = 1024;
    team.each(coded.empty() ? 0 : (n_rows + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t) {
        const std::size_t end = std::min(n_rows, (block + 1) * kBlock);
        for (std::size_t j = 0; j < coded.size(); ++j) {
            for (std::size_t row = block * kBlock; row < end; ++row) table.codes[row * coded.size() + j] = coded[j][row];
        }
    });
    return table;
}

template RankedTable<std::uint16_t> rank_columns(std::span<const Column>, std::size_t, Team&);
template RankedTable<std::uint32_t> rank_columns(std::span<const Column>, std::size_t, Team&);

}  // namespace boxwood
