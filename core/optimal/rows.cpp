#include "optimal/rows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "optimal/bits.hpp"

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

std::size_t bits_of(const std::vector<Row>& rows) {
    std::size_t bits = 0;
    for (const Row& row : rows) bits += static_cast<std::size_t>(std::popcount(static_cast<Word>(row.weight)));
    return bits;
}

// The rows of the problem with the number of their group, and the same with equal rows of one class made one.
std::pair<std::vector<Row>, std::vector<Row>> read_rows(const Problem& problem,
                                                        const std::vector<std::int32_t>& features) {
    std::vector<Row> rows(problem.n_rows), merged;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> seen;  // of cells -> rows that start a group
    std::vector<std::size_t> starts;
    std::unordered_map<std::uint64_t, std::size_t> place;  // of (group, class) -> merged row
    const auto cell = [&](std::size_t row, std::int32_t feature) {
        return problem.cells[row * problem.n_features + static_cast<std::size_t>(feature)];
    };
    for (std::size_t row = 0; row < problem.n_rows; ++row) {
        std::uint64_t hash = 1, word = 0;
        std::size_t filled = 0;
        for (const std::int32_t feature : features) {
            word = word << 1 | cell(row, feature);
            if (++filled % 64 == 0) hash = mix(hash ^ word), word = 0;
        }
        hash = mix(hash ^ word);
        auto& same = seen[hash];
        const auto found = std::find_if(same.begin(), same.end(), [&](std::size_t group) {
            return std::all_of(features.begin(), features.end(), [&](std::int32_t feature) {
                return cell(starts[group], feature) == cell(row, feature);
            });
        });
        const std::size_t group = found == same.end() ? starts.size() : *found;
        if (found == same.end()) same.push_back(group), starts.push_back(row);
        const std::int64_t weight = problem.weights.empty() ? 1 : problem.weights[row];
        rows[row] = {row, problem.target[row], 1, weight, group};
        const std::uint64_t key =
            static_cast<std::uint64_t>(group) * problem.n_classes + static_cast<std::uint64_t>(problem.target[row]);
        const auto [at, fresh] = place.try_emplace(key, merged.size());
        if (fresh) {
            merged.push_back(rows[row]);
        } else {
            merged[at->second].count += 1;
            merged[at->second].weight += weight;
        }
    }
    return {std::move(rows), std::move(merged)};
}

}  // namespace

void Rows::keep_columns(const Problem& problem, const Limits& limits) {
    const std::size_t words = (problem.n_rows + 63) / 64;
    const auto least = static_cast<std::size_t>(
        std::clamp<std::int64_t>(limits.min_rows, 1, static_cast<std::int64_t>(problem.n_rows) + 1));
    std::unordered_map<std::uint64_t, std::vector<std::vector<Word>>> seen;
    std::vector<Word> bits(words);
    for (std::size_t feature = 0; feature < problem.n_features; ++feature) {
        std::fill(bits.begin(), bits.end(), 0);
        std::size_t ones = 0;
        const bool flip = problem.cells[feature] != 0;  // the first row has a 0: complements look alike
        for (std::size_t row = 0; row < problem.n_rows; ++row) {
            const bool one = (problem.cells[row * problem.n_features + feature] != 0) != flip;
            bits[row / 64] |= Word{one} << (row % 64);
            ones += one;
        }
        if (ones < least || problem.n_rows - ones < least) continue;
        std::uint64_t hash = 1;
        for (const Word word : bits) hash = mix(hash ^ word);
        auto& same = seen[hash];
        if (std::find(same.begin(), same.end(), bits) != same.end()) continue;
        same.push_back(bits);
        original.push_back(static_cast<std::int32_t>(feature));
    }
    n_features = original.size();
}

// The slices of numbers given by place (class-ordered, padded).
std::vector<Slice> Rows::sliced(const std::vector<std::int64_t>& numbers, std::int32_t plane) const {
    std::vector<Slice> out;
    std::uint64_t used = 0;
    for (const std::int64_t number : numbers) used |= static_cast<std::uint64_t>(number);
    for (int bit = 0; bit < 63; ++bit) {
        if ((used >> bit & 1) == 0) continue;
        std::vector<Word> mask(n_words, 0);
        for (std::size_t at = 0; at < numbers.size(); ++at) {
            mask[at / 64] |= (static_cast<Word>(numbers[at]) >> bit & 1) << (at % 64);
        }
        Slice slice{plane, bit, 0, n_words, {}};
        while (mask[slice.begin] == 0) ++slice.begin;
        while (mask[slice.end - 1] == 0) --slice.end;
        slice.mask.assign(mask.begin() + static_cast<std::ptrdiff_t>(slice.begin),
                          mask.begin() + static_cast<std::ptrdiff_t>(slice.end));
        out.push_back(std::move(slice));
    }
    return out;
}

Rows::Rows(const Problem& problem, const Limits& limits, RowsOptions options) {
    keep_columns(problem, limits);
    auto [plain, merged] = read_rows(problem, original);
    // Merged rows have weights of more bits: they pay where there are fewer bits in all.
    const bool merging = options.merge && 10 * bits_of(merged) < 7 * bits_of(plain);
    std::vector<Row> rows = merging ? std::move(merged) : std::move(plain);
    n_rows = rows.size();
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.label < b.label; });

    std::vector<std::int32_t> labels;  // that there are
    std::vector<std::ptrdiff_t> at;    // place -> row, or -1
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].label != rows[i - 1].label) {
            labels.push_back(rows[i].label);
            at.resize((at.size() + 63) / 64 * 64, -1);
        }
        at.push_back(static_cast<std::ptrdiff_t>(i));
    }
    at.resize((at.size() + 63) / 64 * 64, -1);
    n_words = at.size() / 64;
    full_.assign(n_words, 0);
    columns.assign(n_features * n_words, 0);
    for (std::size_t place = 0; place < at.size(); ++place) {
        if (at[place] < 0) continue;
        full_[place / 64] |= Word{1} << (place % 64);
        const std::uint8_t* cells = problem.cells + rows[static_cast<std::size_t>(at[place])].from * problem.n_features;
        for (std::size_t f = 0; f < n_features; ++f) {
            columns[f * n_words + place / 64] |= Word{cells[static_cast<std::size_t>(original[f])]} << (place % 64);
        }
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
    std::vector<std::vector<std::int64_t>> values;  // by plane and place
    if (problem.costs.empty()) {
        largest = true;
        for (const std::int32_t label : labels) {
            values.push_back(by_place([&](const Row& row) { return row.label == label ? row.weight : 0; }));
        }
        plane_answer_ = labels;
        worst_slices_ = sliced(by_place([](const Row& row) { return row.weight; }), 0);
    } else {
        for (std::size_t answer = 0; answer < k; ++answer) {
            values.push_back(by_place([&](const Row& row) { return cost(row, answer); }));
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
    n_planes = values.size();
    for (std::size_t plane = 0; plane < n_planes; ++plane)
        append(sliced(values[plane], static_cast<std::int32_t>(plane)));
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
    std::vector<std::vector<std::size_t>> groups(problem.n_rows);
    for (std::size_t i = 0; i < rows.size(); ++i) groups[rows[i].group].push_back(i);
    std::vector<std::int64_t> least(rows.size(), 0);
    for (const auto& group : groups) {
        if (group.size() < 2 && largest) continue;
        if (group.empty()) continue;
        if (largest) {
            std::unordered_map<std::int32_t, std::int64_t> weight;
            for (const std::size_t i : group) weight[rows[i].label] += rows[i].weight;
            std::pair<std::int64_t, std::int32_t> major{0, 0};
            for (const std::size_t i : group) major = std::max(major, {weight[rows[i].label], rows[i].label});
            for (const std::size_t i : group) least[i] = rows[i].label == major.second ? 0 : rows[i].weight;
        } else {
            Cost best = kInfinite;
            for (std::size_t answer = 0; answer < k; ++answer) {
                Cost sum = 0;
                for (const std::size_t i : group) sum += cost(rows[i], answer);
                best = std::min(best, sum);
            }
            least[group.front()] = best;
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
