#include "optimal/rows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "optimal/bits.hpp"
#include "optimal/packed.hpp"

namespace boxwood::optimal {
namespace {

struct Row {
    std::size_t from = 0;  // a row of the problem with these cells and this class
    std::int32_t label = 0;
    std::int64_t count = 0, weight = 0;
    std::size_t group = 0;  // rows with equal cells
};

std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// The places of rows in the order of a small number, equal ones in their own order.
template <class Number>
std::vector<std::size_t> in_order(const std::vector<Row>& rows, Number number) {
    std::size_t most = 0;
    for (const Row& row : rows) most = std::max(most, number(row));
    std::vector<std::size_t> start(most + 2, 0), out(rows.size());
    for (const Row& row : rows) ++start[number(row) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (std::size_t i = 0; i < rows.size(); ++i) out[start[number(rows[i])]++] = i;
    return out;
}

std::size_t bits_of(const std::vector<Row>& rows) {
    std::size_t bits = 0;
    for (const Row& row : rows) bits += static_cast<std::size_t>(std::popcount(static_cast<Word>(row.weight)));
    return bits;
}

// The rows of the problem with the number of their group, and the same with equal rows of one class made one. Cells
// are equal if they are in the features that stayed; the others are constant, repeat these, or can never split.
std::pair<std::vector<Row>, std::vector<Row>> read_rows(const Problem& problem, const PackedRows& packed,
                                                        const std::vector<std::int32_t>& features, Stop& stop) {
    const std::size_t words = packed.words();
    std::vector<Word> stayed(words, 0);
    for (const std::int32_t feature : features)
        stayed[static_cast<std::size_t>(feature) / 64] |= Word{1} << feature % 64;
    std::vector<Row> rows(problem.n_rows), merged;
    std::vector<std::size_t> starts;  // group -> its first row
    std::vector<std::uint64_t> keys;  // merged row -> its group and class
    Numbering groups(problem.n_rows), merging(problem.n_rows);
    for (std::size_t row = 0; row < problem.n_rows && !stop.after(2 + words); ++row) {
        const Word* cells = packed.row(row);
        std::uint64_t hash = 1;
        for (std::size_t w = 0; w < words; ++w) hash = mix(hash ^ (cells[w] & stayed[w]));
        const std::size_t group = groups.number(hash, [&](std::size_t number) {
            const Word* other = packed.row(starts[number]);
            for (std::size_t w = 0; w < words; ++w) {
                if ((cells[w] ^ other[w]) & stayed[w]) return false;
            }
            return true;
        });
        if (group == starts.size()) starts.push_back(row);
        const std::int64_t weight = problem.weights.empty() ? 1 : problem.weights[row];
        rows[row] = {row, problem.target[row], 1, weight, group};
        const std::uint64_t key =
            static_cast<std::uint64_t>(group) * problem.n_classes + static_cast<std::uint64_t>(problem.target[row]);
        const std::size_t at = merging.number(mix(key), [&](std::size_t number) { return keys[number] == key; });
        if (at == merged.size()) {
            keys.push_back(key);
            merged.push_back(rows[row]);
        } else {
            merged[at].count += 1;
            merged[at].weight += weight;
        }
    }
    return {std::move(rows), std::move(merged)};
}

}  // namespace

void Rows::keep_columns(const Problem& problem, const PackedRows& packed, const Limits& limits, Stop& stop) {
    const std::size_t words = (problem.n_rows + 63) / 64;
    const auto least = static_cast<std::size_t>(
        std::clamp<std::int64_t>(limits.min_rows, 1, static_cast<std::int64_t>(problem.n_rows) + 1));
    std::vector<std::ptrdiff_t> row_at(words * 64, -1);
    std::iota(row_at.begin(), row_at.begin() + static_cast<std::ptrdiff_t>(problem.n_rows), std::ptrdiff_t{0});
    std::vector<Word> all = packed.columns(row_at, stop);
    if (stop.stopped()) return;
    const Word last = problem.n_rows % 64 == 0 ? ~Word{0} : (Word{1} << problem.n_rows % 64) - 1;
    Numbering distinct(problem.n_features);
    for (std::size_t feature = 0; feature < problem.n_features && !stop.after(words); ++feature) {
        Word* bits = all.data() + feature * words;
        if (bits[0] & 1) {  // the first row has a 0: complements look alike
            for (std::size_t w = 0; w < words; ++w) bits[w] = ~bits[w];
            bits[words - 1] &= last;
        }
        std::size_t ones = 0;
        std::uint64_t hash = 1;
        for (std::size_t w = 0; w < words; ++w) {
            ones += static_cast<std::size_t>(std::popcount(bits[w]));
            hash = mix(hash ^ bits[w]);
        }
        if (ones < least || problem.n_rows - ones < least) continue;
        const std::size_t number = distinct.number(hash, [&](std::size_t other) {
            const Word* earlier = all.data() + static_cast<std::size_t>(original[other]) * words;
            return std::equal(bits, bits + words, earlier);
        });
        if (number == original.size()) original.push_back(static_cast<std::int32_t>(feature));
    }
    n_features = original.size();
}

std::size_t Rows::setup_bytes(const Problem& problem) {
    // Cells as bits, in rows and in columns of two orders; rows and merged rows, their numbering and their places.
    const std::size_t bits = (problem.n_features + 63) / 64 * 8 + problem.n_features / 8 * 3;
    const std::size_t lists = 2 * sizeof(Row) + 2 * 4 * sizeof(std::uint32_t) + 10 * sizeof(std::int64_t);
    return (problem.n_rows + 64 * problem.n_classes) * (bits + lists);
}

// The slices of numbers given by place (class-ordered, padded), from a word on.
std::vector<Slice> Rows::sliced(std::span<const std::int64_t> numbers, std::int32_t plane, std::size_t first_word) {
    std::vector<Slice> out;
    std::uint64_t used = 0;
    for (const std::int64_t number : numbers) used |= static_cast<std::uint64_t>(number);
    for (int bit = 0; bit < 63; ++bit) {
        if ((used >> bit & 1) == 0) continue;
        std::vector<Word> mask(numbers.size() / 64, 0);
        for (std::size_t at = 0; at < numbers.size(); ++at) {
            mask[at / 64] |= (static_cast<Word>(numbers[at]) >> bit & 1) << (at % 64);
        }
        std::size_t begin = 0, end = mask.size();
        while (mask[begin] == 0) ++begin;
        while (mask[end - 1] == 0) --end;
        Slice slice{plane, bit, first_word + begin, first_word + end, {}};
        slice.mask.assign(mask.begin() + static_cast<std::ptrdiff_t>(begin),
                          mask.begin() + static_cast<std::ptrdiff_t>(end));
        out.push_back(std::move(slice));
    }
    return out;
}

Rows::Rows(const Problem& problem, const Limits& limits, RowsOptions options) {
    Stop stop(options.control);
    const auto ended = [&] {
        unfinished = stop.stopped();
        return unfinished;
    };
    const PackedRows packed(problem, stop);
    if (ended()) return;
    keep_columns(problem, packed, limits, stop);
    if (ended()) return;
    auto [plain, merged] = read_rows(problem, packed, original, stop);
    if (ended()) return;
    // Merged rows have weights of more bits: they pay where there are fewer bits in all.
    const bool merging = options.merge && 10 * bits_of(merged) < 7 * bits_of(plain);
    const std::vector<Row> given = merging ? std::move(merged) : std::move(plain);
    n_rows = given.size();
    std::vector<Row> rows(n_rows);
    const auto by_label = in_order(given, [](const Row& row) { return static_cast<std::size_t>(row.label); });
    for (std::size_t i = 0; i < n_rows; ++i) rows[i] = given[by_label[i]];

    std::vector<std::int32_t> labels;  // that there are
    std::vector<std::size_t> starts;   // the word with which each begins; in the end, the number of words
    std::vector<std::ptrdiff_t> at;    // place -> row, or -1
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].label != rows[i - 1].label) {
            labels.push_back(rows[i].label);
            at.resize((at.size() + 63) / 64 * 64, -1);
            starts.push_back(at.size() / 64);
        }
        at.push_back(static_cast<std::ptrdiff_t>(i));
    }
    at.resize((at.size() + 63) / 64 * 64, -1);
    n_words = at.size() / 64;
    starts.push_back(n_words);
    full_.assign(n_words, 0);
    std::vector<std::ptrdiff_t> row_at(at.size(), -1);
    for (std::size_t place = 0; place < at.size(); ++place) {
        if (at[place] < 0) continue;
        full_[place / 64] |= Word{1} << (place % 64);
        row_at[place] = static_cast<std::ptrdiff_t>(rows[static_cast<std::size_t>(at[place])].from);
    }
    const std::vector<Word> every = packed.columns(row_at, stop);
    if (ended()) return;
    columns.reserve(n_features * n_words);
    for (const std::int32_t feature : original) {
        const auto from = every.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(feature) * n_words);
        columns.insert(columns.end(), from, from + static_cast<std::ptrdiff_t>(n_words));
    }
    // A number per place from a number per row.
    const auto by_place = [&](auto number) {
        std::vector<std::int64_t> out(at.size(), 0);
        for (std::size_t place = 0; place < at.size(); ++place) {
            if (at[place] >= 0) out[place] = number(rows[static_cast<std::size_t>(at[place])]);
        }
        return out;
    };
    const auto append = [&](std::vector<Slice>&& more) {
        std::move(more.begin(), more.end(), std::back_inserter(slices));
    };

    const std::size_t k = problem.n_classes;
    const auto cost = [&](const Row& row, std::size_t answer) {  // above what the row costs in any case
        const std::int64_t* costs = problem.costs.data() + static_cast<std::size_t>(row.label) * k;
        return row.weight * (costs[answer] - *std::min_element(costs, costs + k));
    };
    if (problem.costs.empty()) {
        largest = true;
        const std::vector<std::int64_t> weights = by_place([](const Row& row) { return row.weight; });
        for (std::size_t i = 0; i < labels.size(); ++i) {
            append(sliced(std::span(weights).subspan(starts[i] * 64, (starts[i + 1] - starts[i]) * 64),
                          static_cast<std::int32_t>(n_planes++), starts[i]));
        }
        plane_answer_ = labels;
        worst_slices_ = sliced(weights, 0);
    } else {
        for (std::size_t answer = 0; answer < k; ++answer) {
            append(sliced(by_place([&](const Row& row) { return cost(row, answer); }),
                          static_cast<std::int32_t>(n_planes++)));
            plane_answer_.push_back(static_cast<std::int32_t>(answer));
        }
        worst_slices_ = sliced(by_place([&](const Row& row) {
                                   Cost most = 0;
                                   for (std::size_t answer = 0; answer < k; ++answer)
                                       most = std::max(most, cost(row, answer));
                                   return most;
                               }),
                               0);
        for (const Row& row : rows) {
            const std::int64_t* costs = problem.costs.data() + static_cast<std::size_t>(row.label) * k;
            offset += limits.weight_unit * row.weight * *std::min_element(costs, costs + k);
        }
    }
    unit_worst_ = worst_slices_.size() == 1 && worst_slices_[0].shift == 0 && worst_slices_[0].mask == full_;

    // Sizes. The weight of a part is the sum of its class weights; so is its number of rows if all weights are 1.
    const bool unit =
        std::all_of(problem.weights.begin(), problem.weights.end(), [](std::int64_t w) { return w == 1; });
    const auto further = [&](std::int64_t least, auto number) {
        append(sliced(by_place(number), static_cast<std::int32_t>(n_planes + n_further)));
        least_further.push_back(least);
        ++n_further;
    };
    if (limits.min_rows > 1) {
        if (largest && unit) {
            least_sum = limits.min_rows;
        } else {
            further(limits.min_rows, [](const Row& row) { return row.count; });
        }
    }
    if (limits.min_weight > 1) {
        if (largest) {
            least_sum = std::max(least_sum, limits.min_weight);
        } else {
            further(limits.min_weight, [](const Row& row) { return row.weight; });
        }
    }
    plain_sizes = least_sum <= 1 && n_further == 0;
    partition = largest && n_further == 0 &&
                std::all_of(slices.begin(), slices.end(), [](const Slice& slice) { return slice.shift == 0; });

    // Groups of equal rows: their best common answer is a cost that no tree avoids.
    if (stop.after(2 * n_rows); ended()) return;
    const std::vector<std::size_t> by_group = in_order(rows, [](const Row& row) { return row.group; });
    std::vector<std::int64_t> least(rows.size(), 0), sum(largest ? 0 : k);
    for (std::size_t begin = 0, end; begin < rows.size(); begin = end) {
        for (end = begin + 1; end < rows.size() && rows[by_group[end]].group == rows[by_group[begin]].group;) ++end;
        if (largest && end == begin + 1) continue;
        const std::span<const std::size_t> group(by_group.data() + begin, end - begin);
        if (largest) {
            // The rows are in the order of their classes, and so are those of a group.
            std::pair<std::int64_t, std::int32_t> major{0, 0};
            for (std::size_t i = 0; i < group.size();) {
                const std::int32_t label = rows[group[i]].label;
                std::int64_t weight = 0;
                for (; i < group.size() && rows[group[i]].label == label; ++i) weight += rows[group[i]].weight;
                major = std::max(major, {weight, label});
            }
            for (const std::size_t i : group) least[i] = rows[i].label == major.second ? 0 : rows[i].weight;
        } else {
            std::fill(sum.begin(), sum.end(), 0);
            for (const std::size_t i : group) {
                for (std::size_t answer = 0; answer < k; ++answer) sum[answer] += cost(rows[i], answer);
            }
            least[group.front()] = *std::min_element(sum.begin(), sum.end());
        }
    }
    floor_slices_ =
        sliced(by_place([&](const Row& row) { return least[static_cast<std::size_t>(&row - rows.data())]; }), 0);
}

Part Rows::all() const {
    Part part{full_, {}};
    add_up(part);
    return part;
}

void Rows::add_up(Part& part) const {
    part.sums.assign(n_planes + n_further, 0);
    for (const Slice& slice : slices) {
        const std::int64_t count = count_both(part.mask.data() + slice.begin, slice.mask.data(), slice.mask.size());
        part.sums[static_cast<std::size_t>(slice.plane)] += count << slice.shift;
    }
}

void Rows::restrict(const Part& part, std::size_t feature, bool one, Part& out) const {
    out.mask.resize(n_words);
    meet(part.mask.data(), column(feature), one, out.mask.data(), n_words);
    add_up(out);
}

bool Rows::empty(const Part& part) const {
    return std::all_of(part.mask.begin(), part.mask.end(), [](Word word) { return word == 0; });
}

bool Rows::large_enough(const Part& part) const {
    if (plain_sizes) return !empty(part);
    if (empty(part)) return false;
    const auto planes = static_cast<std::ptrdiff_t>(n_planes);
    if (std::accumulate(part.sums.begin(), part.sums.begin() + planes, std::int64_t{0}) < least_sum) return false;
    for (std::size_t i = 0; i < n_further; ++i) {
        if (part.sums[n_planes + i] < least_further[i]) return false;
    }
    return true;
}

bool Rows::told_apart_anew(const Part& part, std::size_t first) const {
    std::vector<std::uint32_t> live;  // words of the part
    for (std::size_t w = 0; w < n_words; ++w) {
        if (part.mask[w] != 0) live.push_back(static_cast<std::uint32_t>(w));
    }
    // Whether two columns divide the part in the same way; null: a column of zeros.
    const auto alike = [&](const Word* x, const Word* y) {
        bool equal = true, opposite = true;
        for (const std::uint32_t w : live) {
            const Word differ = (y ? x[w] ^ y[w] : x[w]) & part.mask[w];
            equal = equal && differ == 0;
            opposite = opposite && differ == part.mask[w];
            if (!equal && !opposite) return false;
        }
        return true;
    };
    Part side;
    const auto is_large = [&](std::size_t feature, bool one) {
        restrict(part, feature, one, side);
        return large_enough(side);
    };
    for (std::size_t feature = first; feature < n_features; ++feature) {
        const Word* bits = column(feature);
        if (alike(bits, nullptr)) continue;
        if (!plain_sizes && !(is_large(feature, false) && is_large(feature, true))) continue;
        bool repeated = false;
        for (std::size_t other = first; other-- > 0 && !repeated;) repeated = alike(bits, column(other));
        if (!repeated) return true;
    }
    return false;
}

Cost Rows::leaf(const Part& part) const {
    const auto end = part.sums.begin() + static_cast<std::ptrdiff_t>(n_planes);
    if (!largest) return *std::min_element(part.sums.begin(), end);
    return std::accumulate(part.sums.begin(), end, std::int64_t{0}) - *std::max_element(part.sums.begin(), end);
}

std::int32_t Rows::answer(const Part& part) const {
    const auto end = part.sums.begin() + static_cast<std::ptrdiff_t>(n_planes);
    const auto best = largest ? std::max_element(part.sums.begin(), end) : std::min_element(part.sums.begin(), end);
    return plane_answer_[static_cast<std::size_t>(best - part.sums.begin())];
}

Cost Rows::weigh(const std::vector<Slice>& slices, const Word* a, const Word* except) {
    Cost total = 0;
    for (const Slice& slice : slices) {
        const Word* from = a + slice.begin;
        const std::size_t n = slice.mask.size();
        total += (except ? count_both_without(from, slice.mask.data(), except + slice.begin, n)
                         : count_both(from, slice.mask.data(), n))
                 << slice.shift;
    }
    return total;
}

Cost Rows::worst(const Word* a, const Word* b) const {
    if (!unit_worst_) return weigh(worst_slices_, a, b);
    return count_without(a, b, n_words);
}

}  // namespace boxwood::optimal
