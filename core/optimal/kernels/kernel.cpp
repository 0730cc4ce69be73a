#include "optimal/kernels/kernel.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "optimal/bits.hpp"
#include "optimal/kernels/sides.hpp"

namespace boxwood::optimal {
namespace {

std::size_t rounded(std::size_t n, std::size_t to) {
    return (n + to - 1) / to * to;
}

bool ask(void* context) {
    const auto* asked = static_cast<std::pair<Control*, std::size_t>*>(context);
    return asked->first->look(asked->second);
}

// A feature has at most half of the rows, but maybe all entries of a slice of large weights.
std::size_t packed_rows(const Rows& rows, std::size_t words, std::size_t slices, const Functions& functions) {
    const std::size_t entries = rows.partition ? words * 32 : words * 64;
    return entries / std::min<std::size_t>(8, functions.rows_per_byte) + slices + 1;
}

}  // namespace

const Functions& functions_of(Machine machine) {
    const Functions* wide = avx512_functions();
    const Functions* middle = avx2_functions();
    switch (machine) {
        case Machine::kPortable: return portable_functions();
        case Machine::kAvx2:
            if (!middle) throw std::invalid_argument("this machine has no AVX2");
            return *middle;
        case Machine::kAvx512:
            if (!wide) throw std::invalid_argument("this machine has no AVX-512 with BITALG");
            return *wide;
        default: return wide ? *wide : middle ? *middle : portable_functions();
    }
}

Kernel::Kernel(const Rows& rows, const Limits& limits, Control& control, std::size_t member, Machine machine)
    : rows_(rows), limits_(limits), control_(control), member_(member), functions_(functions_of(machine)) {
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;
    for (std::size_t w = 0; w < rows.n_words; ++w) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        multipliers_.push_back((state ^ (state >> 29)) | 1);
    }
    count_.resize(rows.n_features);
    hash_.resize(rows.n_features);
}

// Whether two columns, oriented, are equal on the part.
bool Kernel::same(const Column& a, const Column& b, const Part& part) const {
    const Word *x = rows_.column(a.feature), *y = rows_.column(b.feature);
    const Word flip = a.flipped != b.flipped ? ~Word{0} : 0;
    return std::all_of(live_.begin(), live_.end(),
                       [&](std::uint32_t w) { return ((x[w] ^ y[w] ^ flip) & part.mask[w]) == 0; });
}

void Kernel::choose(const Part& part) {
    live_.clear();
    std::uint32_t n = 0;
    std::uint64_t all = 0;
    for (std::size_t w = 0; w < rows_.n_words; ++w) {
        if (part.mask[w] == 0) continue;
        live_.push_back(static_cast<std::uint32_t>(w));
        n += static_cast<std::uint32_t>(std::popcount(part.mask[w]));
        all += part.mask[w] * multipliers_[w];
    }
    local_.mask = part.mask.data();
    local_.live = live_.data();
    local_.n_live = live_.size();
    functions_.support(rows_.columns.data(), rows_.n_features, rows_.n_words, local_, multipliers_.data(),
                       count_.data(), hash_.data());
    columns_.clear();
    for (std::uint32_t f = 0; f < rows_.n_features; ++f) {
        if (count_[f] == 0 || count_[f] == n) continue;
        const bool flip = 2 * count_[f] > n;
        columns_.push_back({flip ? n - count_[f] : count_[f], f, flip, flip ? all - hash_[f] : hash_[f]});
    }
    std::sort(columns_.begin(), columns_.end(), [](const Column& a, const Column& b) {
        return a.support != b.support ? a.support < b.support : a.feature < b.feature;
    });
    // Of columns that are equal here, or complements with as many ones as zeros, the first stays.
    std::size_t kept = 0;
    for (const Column& column : columns_) {
        bool repeated = false;
        for (std::size_t i = kept; i-- > 0 && columns_[i].support == column.support && !repeated;) {
            Column other = columns_[i];
            repeated = other.hash == column.hash && same(other, column, part);
            if (!repeated && 2 * column.support == n && all - other.hash == column.hash) {
                other.flipped = !other.flipped;
                repeated = same(other, column, part);
            }
        }
        if (!repeated) columns_[kept++] = column;
    }
    columns_.resize(kept);
    if (!rows_.plain_sizes) {  // a side that is too small here is too small in every part of this part
        Part inside;
        std::erase_if(columns_, [&](const Column& column) {
            rows_.restrict(part, column.feature, true, inside);
            if (!rows_.large_enough(inside)) return true;
            rows_.restrict(part, column.feature, false, inside);
            return !rows_.large_enough(inside);
        });
    }
    place_columns();
}

void Kernel::place_columns() {
    column_.clear();
    flipped_.clear();
    for (const Column& column : columns_) {
        column_.push_back(rows_.column(column.feature));
        flipped_.push_back(column.flipped);
    }
    local_.n = columns_.size();
    local_.width = rounded(std::max<std::size_t>(1, local_.n), functions_.vector_bytes);
    local_.column = column_.data();
    local_.flipped = flipped_.data();
}

// The columns of an earlier table of this part come last, in its order, after those that are new.
bool Kernel::put_last(const PairTable& table, std::size_t number_bytes) {
    if (table.number_bytes != number_bytes || table.features.size() > columns_.size()) return false;
    std::vector<std::ptrdiff_t> place(rows_.n_features, -1);
    for (std::size_t i = 0; i < columns_.size(); ++i) place[columns_[i].feature] = static_cast<std::ptrdiff_t>(i);
    std::vector<Column> settled, fresh;
    for (std::size_t i = 0; i < table.features.size(); ++i) {
        std::ptrdiff_t& at = place[table.features[i]];
        if (at < 0 || columns_[static_cast<std::size_t>(at)].flipped != (table.flipped[i] != 0)) return false;
        settled.push_back(columns_[static_cast<std::size_t>(at)]);
        at = -1;
    }
    for (const Column& column : columns_) {
        if (place[column.feature] >= 0) fresh.push_back(column);
    }
    fresh.insert(fresh.end(), settled.begin(), settled.end());
    columns_ = std::move(fresh);
    place_columns();
    return true;
}

void Kernel::hand_on(const Part& part, std::size_t number_bytes) {
    const std::size_t n = local_.n, row = local_.width * number_bytes;
    PairTable table;
    const std::size_t bytes = n * (n - 1) / 2 * 4 * number_bytes;
    if (!kept_->wants(bytes + 5 * n + 128)) return;
    table.number_bytes = number_bytes;
    table.best.reserve(bytes);
    const auto* best = static_cast<const std::uint8_t*>(local_.best);
    for (std::size_t f = 0; f < n; ++f) {
        table.features.push_back(columns_[f].feature);
        table.flipped.push_back(columns_[f].flipped);
        for (std::size_t c = 0; c < 4; ++c) {
            const std::uint8_t* from = best + (f * 4 + c) * row;
            table.best.insert(table.best.end(), from + (f + 1) * number_bytes, from + n * number_bytes);
        }
    }
    kept_->add(part.mask, std::move(table));
}

// Slices and planes that have something in this part; a class that is absent cannot be the largest one.
void Kernel::fit_slices(const Part& part) {
    std::vector<std::int32_t> place(part.sums.size(), -1);
    sums_.clear();
    std::size_t valued = 0;
    for (std::size_t p = 0; p < part.sums.size(); ++p) {
        if (p < rows_.n_planes && rows_.largest && part.sums[p] == 0) continue;
        place[p] = static_cast<std::int32_t>(sums_.size());
        sums_.push_back(part.sums[p]);
        valued += p < rows_.n_planes;
    }
    slices_.clear();
    sources_.clear();
    local_.row_of = nullptr;
    std::size_t words = 0;
    for (std::size_t i = 0; i < rows_.slices.size(); ++i) {
        const Slice& slice = rows_.slices[i];
        const auto n =
            static_cast<std::size_t>(count_both(part.mask.data() + slice.begin, slice.mask.data(), slice.mask.size()));
        // A plane of the smallest form needs at least one slice, be it empty: its sums are then set to zero.
        const std::int32_t plane = place[static_cast<std::size_t>(slice.plane)];
        const bool first = slices_.empty() || slices_.back().plane != plane;
        if (plane < 0 || (n == 0 && !first)) continue;
        slices_.push_back({plane, slice.shift, words});
        sources_.push_back(i);
        words += (n + 63) / 64;
    }
    local_.slices = slices_.data();
    local_.n_slices = slices_.size();
    local_.words = words;
    local_.n_planes = valued;
    local_.n_further = rows_.n_further;
    local_.sums = sums_.data();
    local_.least_sum = rows_.least_sum;
    local_.least_further = rows_.least_further.data();
    form_ = !rows_.largest ? Form::kSmallest : valued == 2 ? Form::kSmallestOfTwo : Form::kLargest;
    masked_ = !rows_.plain_sizes;
    total_ = std::accumulate(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(valued), std::int64_t{0});
}

std::size_t Kernel::memory(const Rows& rows, int depth, const Functions& functions) {
    if (depth < 2) return 0;
    const std::size_t n = rows.n_features, width = rounded(std::max<std::size_t>(1, n), functions.vector_bytes);
    const std::size_t planes = rows.n_planes + rows.n_further;
    std::int64_t total = 0;
    for (const std::int64_t sum : rows.all().sums) total += sum;
    const std::size_t size = total < 65'536 ? 2 : total < (std::int64_t{1} << 32) ? 4 : 8;
    std::size_t words = 0;
    for (const Slice& slice : rows.slices) words += slice.mask.size();
    std::size_t bytes = width * (n * (planes + 4) + 2 * planes) * size + 2 * n * words * 8;
    bytes += rows.n_words * 64 * width;
    if (depth > 2) bytes += 4 * packed_rows(rows, words, rows.slices.size(), functions) * width;
    return bytes + words * 64 * 4;
}

void Kernel::lay_out(std::size_t size, int depth) {
    const std::size_t every = local_.n_planes + local_.n_further, width = local_.width, n = local_.n;
    std::size_t live_words = 0;
    if (!rows_.partition) {
        std::size_t rows = 0;
        for (const std::uint32_t w : live_) rows += static_cast<std::size_t>(std::popcount(local_.mask[w]));
        live_words = (rows + 63) / 64;
    }
    local_.row_words = rows_.partition ? local_.words : live_words;
    const std::size_t packed = depth > 2 ? packed_rows(rows_, local_.words, local_.n_slices, functions_) * width : 0;
    const std::size_t sizes[] = {n * local_.words * 8,
                                 rows_.partition ? 0 : n * local_.row_words * 8,
                                 local_.row_words * 64 * width,
                                 every * width * size,
                                 n * every * width * size,
                                 n * 4 * width * size,
                                 every * width * size,
                                 packed,
                                 packed,
                                 packed,
                                 packed,
                                 local_.words * 64 * 4,
                                 4 * (local_.n_slices + 1) * 4,
                                 every * 4 * functions_.vector_bytes};
    std::size_t bytes = 64;
    for (const std::size_t part : sizes) bytes += rounded(part, 64);
    if (room_.size() < bytes) room_ = Buffer<std::uint8_t>(bytes + bytes / 4);
    const auto start = reinterpret_cast<std::uintptr_t>(room_.data());
    std::uint8_t* at = room_.data() + (rounded(start, 64) - start);
    std::uint8_t* place[14];
    for (std::size_t i = 0; i < 14; ++i) {
        place[i] = at;
        at += rounded(sizes[i], 64);
    }
    local_.bits = reinterpret_cast<std::uint64_t*>(place[0]);
    local_.row_bits = rows_.partition ? local_.bits : reinterpret_cast<std::uint64_t*>(place[1]);
    local_.cells = place[2];
    local_.single = place[3];
    local_.pairs = place[4];
    local_.best = place[5];
    local_.triple = place[6];
    for (std::size_t i = 0; i < 4; ++i) local_.packed[i] = place[7 + i];
    local_.listed = reinterpret_cast<std::uint32_t*>(place[11]);
    local_.starts = reinterpret_cast<std::uint32_t*>(place[12]);
    local_.constants = place[13];
    std::fill_n(local_.bits, n * local_.words, 0);
    if (!rows_.partition) std::fill_n(local_.row_bits, n * local_.row_words, 0);
}

// Costs of leaves as they are counted: wrong weight, or in the form kLargest right weight.
template <class T>
void Kernel::combine(int depth, int leaves, Shallow& out, std::vector<Root>* roots) {
    const std::size_t n = local_.n, width = local_.width, planes = local_.n_planes, every = planes + local_.n_further;
    const T* single = static_cast<const T*>(local_.single);
    const T* pairs = static_cast<const T*>(local_.pairs);
    const T* best = static_cast<const T*>(local_.best);
    const bool largest = form_ == Form::kLargest;
    // Costs with at most 1 to 4 leaves, by root and side.
    side_.assign(n * 8, kInfinite);
    const auto cost = [&](auto plane_sum) {
        Cost smallest = kInfinite, most = 0, sum = 0;
        for (std::size_t p = 0; p < planes; ++p) {
            const auto value = static_cast<Cost>(plane_sum(p));
            smallest = std::min(smallest, value);
            most = std::max(most, value);
            sum += value;
        }
        return largest ? sum - most : smallest;
    };
    const auto fits = [&](auto plane_sum) {
        if (!masked_) return true;
        Cost sum = 0;
        for (std::size_t p = 0; p < planes; ++p) sum += static_cast<Cost>(plane_sum(p));
        if (sum < local_.least_sum) return false;
        for (std::size_t e = 0; e < local_.n_further; ++e) {
            if (static_cast<Cost>(plane_sum(planes + e)) < local_.least_further[e]) return false;
        }
        return true;
    };
    for (std::size_t f = 0; f < n; ++f) {
        side_[f * 8] = cost([&](std::size_t p) { return sums_[p] - static_cast<Cost>(single[p * width + f]); });
        side_[f * 8 + 4] = cost([&](std::size_t p) { return static_cast<Cost>(single[p * width + f]); });
    }
    for (std::size_t f = 0; depth > 1 && f < n; ++f) {
        for (std::size_t g = f + 1; g < n; ++g) {
            Cost leaf[4], split[4];
            bool large[4];
            for (unsigned cell = 0; cell < 4; ++cell) {
                const auto plane_sum = [&](std::size_t p) {
                    const auto both = static_cast<Cost>(pairs[(f * every + p) * width + g]);
                    const auto in_f = static_cast<Cost>(single[p * width + f]);
                    const auto in_g = static_cast<Cost>(single[p * width + g]);
                    if (cell == 3) return both;
                    if (cell == 2) return in_f - both;
                    if (cell == 1) return in_g - both;
                    return sums_[p] - in_f - in_g + both;
                };
                leaf[cell] = cost(plane_sum);
                large[cell] = fits(plane_sum);
                const auto value = static_cast<Cost>(best[(f * 4 + cell) * width + g]);
                Cost sum = 0;
                for (std::size_t p = 0; largest && p < planes; ++p) sum += plane_sum(p);
                split[cell] = largest ? sum - value : value;
            }
            const auto offer = [&](Cost* side, unsigned a, unsigned b) {
                if (!large[a] || !large[b]) return;
                side[1] = std::min(side[1], leaf[a] + leaf[b]);
                side[2] = std::min(side[2], std::min(leaf[a] + split[b], split[a] + leaf[b]));
                side[3] = std::min(side[3], split[a] + split[b]);
            };
            offer(&side_[f * 8], 0, 1);
            offer(&side_[f * 8 + 4], 2, 3);
            offer(&side_[g * 8], 0, 2);
            offer(&side_[g * 8 + 4], 1, 3);
        }
    }
    for (std::size_t f = 0; f < n; ++f) {
        for (std::size_t i = 1; i < 8; ++i) {
            if (i != 4) side_[f * 8 + i] = std::min(side_[f * 8 + i], side_[f * 8 + i - 1]);
        }
    }
    const int most = depth == 1 ? 1 : depth == 2 ? 2 : 4;
    for (std::size_t f = 0; f < n; ++f) {
        const Cost* left = &side_[f * 8 + (columns_[f].flipped ? 4 : 0)];
        const Cost* right = &side_[f * 8 + (columns_[f].flipped ? 0 : 4)];
        const auto feature = static_cast<std::int32_t>(columns_[f].feature);
        if (roots) roots->push_back({kInfinite, feature});
        for (int a = 1; a <= most; ++a) {
            for (int b = 1; b <= most && a + b <= leaves; ++b) {
                const Cost value = limits_.weight_unit * (left[a - 1] + right[b - 1]) + limits_.leaf_cost * (a + b);
                if (roots) roots->back().value = std::min(roots->back().value, value);
                const bool tie = value == out.value[static_cast<std::size_t>(leaves)] && out.feature >= 0 &&
                                 (feature < out.feature || (feature == out.feature && a < out.left_leaves));
                if (value < out.value[static_cast<std::size_t>(leaves)] || tie) {
                    out.feature = feature;
                    out.left_leaves = a;
                    out.right_leaves = b;
                }
                for (std::size_t l = static_cast<std::size_t>(a + b); l < 9; ++l) {
                    out.value[l] = std::min(out.value[l], value);
                }
            }
        }
    }
}

// The same when leaves are free and unlimited: the table tells nearly all (sides.hpp).
template <class T>
void Kernel::combine_freely(int depth, Shallow& out, std::vector<Root>* roots) {
    find_sides<T>(local_, form_, masked_, side_);
    const auto all = static_cast<std::size_t>(1) << depth;
    for (std::size_t f = 0; f < local_.n; ++f) {
        const Cost cost = side_[2 * f] + side_[2 * f + 1] + (form_ == Form::kLargest ? total_ : 0);
        const Cost value = limits_.weight_unit * cost;
        const auto feature = static_cast<std::int32_t>(columns_[f].feature);
        if (roots) roots->push_back({value, feature});
        if (value < out.value[all] || (value == out.value[all] && out.feature >= 0 && feature < out.feature)) {
            out.value[all] = value;
            out.feature = feature;
            out.left_leaves = out.right_leaves = static_cast<std::int32_t>(all / 2);
        }
    }
}

Shallow Kernel::solve(const Part& part, int depth, int leaves, std::vector<Root>* roots) {
    ++calls;
    Shallow out;
    out.value.fill(limits_.weight_unit * rows_.leaf(part) + limits_.leaf_cost);
    out.complete = true;
    choose(part);
    if (roots) roots->clear();
    if (local_.n == 0) return out;
    fit_slices(part);
    std::pair<Control*, std::size_t> asked{&control_, member_};
    local_.stop = ask;
    local_.context = &asked;
    // The numbers must hold every plane; two cells together in the form kLargest; the sizes that are compared.
    std::vector<std::int64_t> planes(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(local_.n_planes));
    std::sort(planes.rbegin(), planes.rend());
    std::int64_t most = planes[0];
    if (form_ == Form::kLargest && planes.size() > 1) most += planes[1];
    if (masked_) most = std::max(most, *std::max_element(sums_.begin(), sums_.end()));
    if (masked_ && local_.least_sum > 1) most = std::max(most, total_);
    std::size_t type = most <= 255 ? 0 : most <= 65'535 ? 1 : most <= 4'294'967'295 ? 2 : 3;
    const Functions& functions = functions_.count[type] ? functions_ : portable_functions();
    const auto table = kept_ && depth == 3 ? kept_->find(part.mask) : nullptr;
    const bool settled = table && put_last(*table, std::size_t{1} << type);
    local_.n_fresh = settled ? local_.n - table->features.size() : local_.n;
    local_.settled = settled ? table->best.data() : nullptr;
    lay_out(std::size_t{1} << type, depth);
    for (std::size_t i = 0; i < slices_.size(); ++i) {
        const Slice& whole = rows_.slices[sources_[i]];
        functions_.compact(local_, local_.bits, local_.words, slices_[i].first, whole.mask.data(), whole.begin,
                           whole.end);
    }
    if (!rows_.partition && depth > 1) {
        functions_.compact(local_, local_.row_bits, local_.row_words, 0, nullptr, 0, rows_.n_words);
        find_rows(part);
    }
    if (depth > 1) functions_.expand(local_);
    if (!functions.count[type](local_, form_, masked_, depth)) {
        out.complete = false;
        return out;
    }
    if (kept_ && depth == 3 && local_.n_fresh > 0) hand_on(part, std::size_t{1} << type);
    const bool free = limits_.leaf_cost == 0 && leaves == 1 << depth && depth > 1 && local_.n > 1 &&
                      (!masked_ || local_.n_further == 0);
    switch (type) {
        case 0:
            free ? combine_freely<std::uint8_t>(depth, out, roots) : combine<std::uint8_t>(depth, leaves, out, roots);
            break;
        case 1:
            free ? combine_freely<std::uint16_t>(depth, out, roots) : combine<std::uint16_t>(depth, leaves, out, roots);
            break;
        case 2:
            free ? combine_freely<std::uint32_t>(depth, out, roots) : combine<std::uint32_t>(depth, leaves, out, roots);
            break;
        default:
            free ? combine_freely<std::uint64_t>(depth, out, roots) : combine<std::uint64_t>(depth, leaves, out, roots);
            break;
    }
    return out;
}

// Which row of the cells each entry of the slices is.
void Kernel::find_rows(const Part& part) {
    std::vector<std::uint32_t> before(rows_.n_words + 1, 0);
    for (std::size_t w = 0; w < rows_.n_words; ++w) {
        before[w + 1] = before[w] + static_cast<std::uint32_t>(std::popcount(part.mask[w]));
    }
    row_of_.assign(local_.words * 64, 0);
    for (std::size_t i = 0; i < slices_.size(); ++i) {
        const Slice& whole = rows_.slices[sources_[i]];
        std::size_t entry = slices_[i].first * 64;
        for (std::size_t w = 0; w < whole.mask.size(); ++w) {
            const Word inside = part.mask[whole.begin + w];
            for (Word chosen = inside & whole.mask[w]; chosen != 0; chosen &= chosen - 1) {
                const Word below = (chosen & (~chosen + 1)) - 1;
                row_of_[entry++] = before[whole.begin + w] + static_cast<std::uint32_t>(std::popcount(inside & below));
            }
        }
    }
    local_.row_of = row_of_.data();
}

}  // namespace boxwood::optimal
