// A whole subtree of at most 64 rows, grown at once, for squared error and unit weights.
//
// Most nodes of an unlimited tree have a handful of rows, and there the price of
// a search is not its rows but everything around them. So the engine hands over a
// node of at most 64 rows, and the rest happens in a few cache lines: rows are
// numbers below 64, a set of rows is one word, and a feature is the rows in the
// order of its values, a byte each (or, with two values, the set of the rows that
// have the higher one). Below the root of the subtree nothing but these bytes is
// read or moved: values are compared by their rank among the 64, and looked up
// only for the thresholds, all together at the end: in a large table each look is
// a wait for memory, and side by side they wait at once. Children write their orders
// beside their parent's, in the other of two buffers, so that no copy is needed.
//
// The choice is that of the engine and its searcher: the same rounded responses
// (numbers.hpp), the same values of cuts, the same rule for ties (the first
// feature, then the first cut, whose gain is within the tolerance of the best),
// and the same numbers of a node from its rows in the order of the table. A node
// with a missing cell, or with categories, is left to the engine.
//
// O(features x rows) per node.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "criteria/regression.hpp"
#include "data/buffer.hpp"
#include "data/ranks.hpp"
#include "grow/options.hpp"
#include "grow/output.hpp"
#include "grow/place.hpp"
#include "grow/regression/byte_orders.hpp"
#include "grow/regression/numbers.hpp"
#include "grow/sample.hpp"

namespace boxwood {

template <class Index>
class SmallSubtree {
  public:
    static constexpr std::size_t kMost = kByteRows;

    SmallSubtree(const Growth& growth, const Sample<Index>& sample) : growth_(growth), sample_(sample) {
        const Options& options = growth.options;
        serves_ = options.small_samples && options.measure.kind == Criterion::kSquaredError && sample.weight.empty() &&
                  options.monotonic.empty() && !options.random_cuts && options.max_features >= growth.columns.size() &&
                  options.screening.kind == Select::kScore;
        if (!serves_) return;
        min_rows_ = std::max<std::int64_t>(options.min_samples_leaf, 1);
        min_rows_ = std::max(min_rows_, static_cast<std::int64_t>(std::ceil(options.min_weight_leaf)));
        number_.resize(sample.n_rows);
        for (std::size_t n = 2; n <= kMost; ++n) {
            for (std::size_t i = 0; i + 1 < n; ++i) {
                const auto weight = static_cast<double>(n), left = static_cast<double>(i + 1);
                factor_[n][i] = weight / (left * (weight - left));
            }
        }
    }

    // Grows all that is below a record; false, and nothing is done, if the node is not of the kind that is grown here.
    bool grow(const Place& place, std::int64_t depth, std::size_t record, std::span<const std::size_t> features,
              Output& output) {
        if (!serves_ || !load(place.begin, place.end, features)) return false;
        open_.clear();
        open_.push_back({n_ == kMost ? ~std::uint64_t{0} : (std::uint64_t{1} << n_) - 1, 0, n_, features_.size(),
                         static_cast<std::size_t>(0), depth, record});
        while (!open_.empty()) {
            const Node node = open_.back();
            open_.pop_back();
            split(node, output);
        }
        place_thresholds(output);
        return true;
    }

  private:
    struct Feature {
        std::size_t number = 0;   // of the column
        std::size_t slot = 0;     // its place in the buffers below
        bool two_values = false;  // then `above` tells all
        bool distinct = false;    // no two rows have the same value, and it is no feature of two values
        std::uint64_t above = 0;  // the rows with the higher of two values
        double best = 0;          // of its cuts at the node being split, if not distinct; below 0: there is none
    };
    struct Node {
        std::uint64_t rows = 0;
        std::size_t begin = 0, end = 0;  // its part of every order
        std::size_t n_active = 0;        // features that may still be split: a prefix
        std::size_t side = 0;            // which of the two buffers holds its orders
        std::int64_t depth = 0;
        std::size_t record = 0;
        std::size_t size() const { return end - begin; }
    };

    // A split that waits for its threshold.
    struct Pending {
        std::size_t record = 0, feature = 0;
        int below_row = 0, above_row = 0;  // the neighbours of the cut
        bool is_pair = false;              // they are all rows, and may stand in the wrong order
        double other_gain = 0;             // if they do
        double below = 0, above = 0;
    };

    // --- from the sample ------------------------------------------------------------------------

    bool load(std::size_t begin, std::size_t end, std::span<const std::size_t> features) {
        n_ = end - begin;
        for (std::size_t i = 0; i < n_; ++i) {
            const Index row = sample_.rows[begin + i];
            row_[i] = row;
            y_[i] = sample_.response[row];
            number_[row] = static_cast<std::uint8_t>(i);
        }
        for (auto& buffer : order_) {
            const std::size_t size = features.size() * kMost + kOrderSlack;
            if (buffer.size() < size) buffer.resize(size);
        }
        if (rank_.size() < features.size() * kMost) rank_.resize(features.size() * kMost);
        features_.clear();
        for (const std::size_t number : features) {
            const RankedColumn& column = (*sample_.columns)[number];
            if (column.categorical) return false;
            Feature feature;
            feature.number = number;
            feature.slot = features_.size();
            if (!(column.coded ? load_coded(column, feature) : load_sorted(column, begin, end, feature))) return false;
            if (feature.two_values && feature.above == 0) continue;  // constant
            features_.push_back(feature);
        }
        const auto others =
            std::partition(features_.begin(), features_.end(), [](const Feature& f) { return f.distinct; });
        distinct_.clear();
        for (auto feature = features_.begin(); feature != others; ++feature) distinct_.push_back(feature->slot);
        highest_.resize(distinct_.size());
        return true;
    }

    bool load_sorted(const RankedColumn& column, std::size_t begin, std::size_t end, Feature& feature) {
        const auto items = sample_.items_of(column, begin, end);
        if (column.has_missing && items.back().rank == kNoRank<Index>) return false;
        std::uint8_t* order = order_[0].data() + feature.slot * kMost;
        const int tag = sample_.tag_bits[column.slot];
        std::size_t changes = 0;
        for (std::size_t i = 0; i < n_; ++i) order[i] = number_[items[i].row];
        for (std::size_t i = 0; i + 1 < n_; ++i) changes += cut_between(items[i], items[i + 1], tag);
        feature.two_values = changes == 0;
        feature.distinct = !feature.two_values && changes + 1 == n_;
        if (feature.distinct || feature.two_values) return true;
        std::uint8_t* rank = rank_.data() + feature.slot * kMost;
        std::uint8_t here = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            here = static_cast<std::uint8_t>(here + (i > 0 && cut_between(items[i - 1], items[i], tag)));
            rank[order[i]] = here;
        }
        return true;
    }

    bool load_coded(const RankedColumn& column, Feature& feature) {
        std::array<std::uint8_t, kMost> code;
        std::array<std::uint64_t, 4> present{};
        for (std::size_t i = 0; i < n_; ++i) {
            code[i] = sample_.code(row_[i], column.slot);
            present[code[i] / 64] |= std::uint64_t{1} << (code[i] % 64);
        }
        if (column.has_missing && (present[column.n_values / 64] >> (column.n_values % 64) & 1) != 0) return false;
        std::array<std::uint8_t, 4> before{};  // values present below each word
        for (std::size_t word = 1; word < 4; ++word) {
            before[word] = static_cast<std::uint8_t>(before[word - 1] + std::popcount(present[word - 1]));
        }
        const auto n_values = static_cast<std::size_t>(before[3] + std::popcount(present[3]));
        std::array<std::uint8_t, kMost> own;
        std::uint8_t* rank = n_values <= 2 ? own.data() : rank_.data() + feature.slot * kMost;
        for (std::size_t i = 0; i < n_; ++i) {
            const std::uint64_t lower = present[code[i] / 64] & ((std::uint64_t{1} << (code[i] % 64)) - 1);
            rank[i] = static_cast<std::uint8_t>(before[code[i] / 64] + std::popcount(lower));
        }
        feature.two_values = n_values <= 2;
        feature.distinct = n_values == n_ && n_values > 2;
        if (feature.two_values) {
            for (std::size_t i = 0; i < n_; ++i) feature.above |= std::uint64_t{rank[i]} << i;
            return true;
        }
        std::array<std::uint8_t, kMost + 1> start{};
        for (std::size_t i = 0; i < n_; ++i) ++start[rank[i] + 1u];
        for (std::size_t value = 1; value < n_values; ++value) {
            start[value] = static_cast<std::uint8_t>(start[value] + start[value - 1]);
        }
        std::uint8_t* order = order_[0].data() + feature.slot * kMost;
        for (std::size_t i = 0; i < n_; ++i) order[start[rank[i]]++] = static_cast<std::uint8_t>(i);
        return true;
    }

    // --- one node -------------------------------------------------------------------------------

    void split(Node node, Output& output) {
        const auto sums = output.sums_of(node.record);
        const double weight = output.records[node.record].weight, impurity = output.records[node.record].impurity;
        const Rounding rounding = round_squares(weight, sums[kRange], impurity);
        const double centre = sums[kAnswer], scale = rounding.scale;
        std::int64_t total = 0;
        for (std::uint64_t rest = node.rows; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(rest));
            total += whole_[i] = static_cast<std::int64_t>((y_[i] - centre) * scale);
        }
        const double drift = static_cast<double>(total) / weight;
        const std::size_t n = node.size();
        for (std::size_t i = 0; i < n; ++i) drift_[i] = drift * static_cast<double>(i + 1);
        if (n == 2) {
            split_pair(node, rounding, output);
            return;
        }
        const double best = search(node, total, output);
        if (best < 0) return;
        // As the engine settles ties.
        const double units = rounding.unit * rounding.unit;
        const auto gain_of = [&](double value) { return units * value / weight; };
        const double least = gain_of(best) - 1e-12 * impurity;
        const double near = best - 2e-12 * impurity * weight / units;  // what is below it need not be divided to tell
        const Feature* chosen = nullptr;
        double value = 0;
        const auto consider = [&](const Feature& feature, double its_best) {
            if (its_best < 0 || its_best < near || gain_of(its_best) < least) return;
            if (chosen != nullptr && feature.number > chosen->number) return;
            chosen = &feature;
            value = its_best;
        };
        for (std::size_t i = 0; i < distinct_.size(); ++i) consider(features_[i], highest_[i]);
        for (std::size_t i = distinct_.size(); i < node.n_active; ++i) consider(features_[i], features_[i].best);
        std::uint64_t right = 0;
        int below = 0, above = 0;
        if (chosen->two_values) {
            right = node.rows & chosen->above;
            below = std::countr_zero(node.rows & ~right);
            above = std::countr_zero(right);
        } else {
            const std::uint8_t* order = order_of(node, *chosen);
            const std::size_t cut =
                first_cut(node, *chosen, [&](double here) { return !(here < near) && gain_of(here) >= least; }, value);
            for (std::size_t i = cut; i < n; ++i) right |= std::uint64_t{1} << order[i];
            below = order[cut - 1];
            above = order[cut];
        }
        const double gain = gain_of(value);
        if (!enough_gain(growth_, weight, gain)) return;
        pending_.push_back({node.record, chosen->number, below, above});
        divide(node, *chosen, right, gain, output);
    }

    // Two rows: every feature that tells them apart has the same gain, and the first one wins. Their order is not
    // known.
    void split_pair(const Node& node, const Rounding& rounding, Output& output) {
        const int one = std::countr_zero(node.rows), other = std::countr_zero(node.rows & (node.rows - 1));
        const Feature* chosen = nullptr;
        std::int64_t n_cuts = 0;
        for (std::size_t i = 0; i < node.n_active; ++i) {
            const Feature& feature = features_[i];
            const std::uint8_t* rank = rank_of(feature);
            const bool apart = feature.two_values ? ((feature.above >> one ^ feature.above >> other) & 1) != 0
                                                  : feature.distinct || rank[one] != rank[other];
            n_cuts += apart;
            if (apart && (chosen == nullptr || feature.number < chosen->number)) chosen = &feature;
        }
        output.n_cuts += n_cuts;
        output.n_evaluated += n_cuts;
        if (chosen == nullptr) return;
        // Which of them is the lower will be seen with the threshold; then they may change places.
        const double units = rounding.unit * rounding.unit;
        const auto gain_if_left = [&](int i) {
            return units * value_at(node, 0, whole_[static_cast<std::size_t>(i)]) / 2;
        };
        const double gain = gain_if_left(one);
        if (!enough_gain(growth_, 2, gain)) return;
        pending_.push_back({node.record, chosen->number, one, other, true, gain_if_left(other)});
        divide(node, *chosen, std::uint64_t{1} << other, gain, output);
    }

    const std::uint8_t* order_of(const Node& node, const Feature& feature) const {
        return order_[node.side].data() + feature.slot * kMost + node.begin;
    }
    const std::uint8_t* rank_of(const Feature& feature) const { return rank_.data() + feature.slot * kMost; }

    // The best value of the node's cuts, and of each feature's; below 0 if there is none. Features that are constant
    // here are not active any more.
    double search(Node& node, std::int64_t total, Output& output) {
        const auto n = static_cast<std::int64_t>(node.size());
        const auto n_cuts = (n - 1) * static_cast<std::int64_t>(distinct_.size());
        output.n_cuts += n_cuts;
        output.n_evaluated += n_cuts;
        double best = -1;
        if (n < 2 * min_rows_) {
            std::fill(highest_.begin(), highest_.end(), -1);
        } else if (!distinct_.empty()) {
            const auto least = static_cast<std::size_t>(min_rows_);
            weigh_orders(order_[node.side].data(), distinct_,
                         {node.begin, node.size(), node.rows, whole_.data(), drift_.data(), factor_[node.size()].data(),
                          least - 1, node.size() - least - 1},
                         highest_.data());
            for (const double value : highest_) best = std::max(best, value);
        }
        for (std::size_t i = distinct_.size(); i < node.n_active;) {
            Feature& feature = features_[i];
            feature.best = -1;
            if (!(feature.two_values ? search_pair_of_values(node, total, feature, output)
                                     : search_ties(node, feature, output))) {
                std::swap(feature, features_[--node.n_active]);
                continue;
            }
            best = std::max(best, feature.best);
            ++i;
        }
        return best;
    }

    // The one cut of a feature with two values; false if it is constant here.
    bool search_pair_of_values(const Node& node, std::int64_t total, Feature& feature, Output& output) const {
        const std::uint64_t right = node.rows & feature.above;
        if (right == 0 || right == node.rows) return false;
        ++output.n_cuts;
        ++output.n_evaluated;
        const auto n = static_cast<std::int64_t>(node.size());
        const std::int64_t left = n - std::popcount(right);
        if (left < min_rows_ || n - left < min_rows_) return true;
        std::int64_t sum = total;
        for (std::uint64_t rest = right; rest != 0; rest &= rest - 1) {
            sum -= whole_[static_cast<std::size_t>(std::countr_zero(rest))];
        }
        feature.best = value_at(node, static_cast<std::size_t>(left) - 1, sum);
        return true;
    }

    // The best value of a feature of which some rows have the same value; false if all of them have.
    bool search_ties(const Node& node, Feature& feature, Output& output) const {
        const auto n = static_cast<std::int64_t>(node.size());
        const std::uint8_t* order = order_of(node, feature);
        const std::uint8_t* rank = rank_of(feature);
        std::int64_t n_cuts = 0;
        for (std::int64_t i = 0; i + 1 < n; ++i) n_cuts += rank[order[i]] != rank[order[i + 1]];
        if (n_cuts == 0) return false;
        output.n_cuts += n_cuts;
        output.n_evaluated += n_cuts;
        const std::int64_t first = min_rows_ - 1, last = n - min_rows_ - 1;
        const double* factor = factor_[node.size()].data();
        std::int64_t sum = 0;
        double most = -1;
        for (std::int64_t i = 0; i < first; ++i) sum += whole_[order[i]];
        for (std::int64_t i = first; i <= last; ++i) {
            sum += whole_[order[i]];
            const double d = static_cast<double>(sum) - drift_[static_cast<std::size_t>(i)];
            const double value = rank[order[i]] != rank[order[i + 1]] ? d * d * factor[i] : -1;
            most = value > most ? value : most;
        }
        feature.best = most;
        return true;
    }

    // The rows left of the first cut whose value is good, and that value.
    template <class Good>
    std::size_t first_cut(const Node& node, const Feature& feature, Good good, double& value) const {
        const std::uint8_t* order = order_of(node, feature);
        const std::uint8_t* rank = rank_of(feature);
        const auto least = static_cast<std::size_t>(min_rows_);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i + 1 < node.size(); ++i) {
            sum += whole_[order[i]];
            if (i + 1 < least || (!feature.distinct && rank[order[i]] == rank[order[i + 1]])) continue;
            value = value_at(node, i, sum);
            if (good(value)) return i + 1;
        }
        return node.size();  // not reached: the best cut is good
    }

    double value_at(const Node& node, std::size_t i, std::int64_t sum) const {
        const double d = static_cast<double>(sum) - drift_[i];
        return d * d * factor_[node.size()][i];
    }

    // --- its children ---------------------------------------------------------------------------

    void divide(const Node& node, const Feature& feature, std::uint64_t right, double gain, Output& output) {
        const std::array<std::uint64_t, 2> rows{node.rows & ~right, right};
        std::array<Node, 2> children;
        const auto n_left = static_cast<std::size_t>(std::popcount(rows[0]));
        output.write_threshold(node.record, feature.number, n_left >= node.size() - n_left ? 0 : 1, gain);
        bool needs_order = false;
        std::array<bool, 2> is_open{};
        for (std::size_t branch = 0; branch < 2; ++branch) {
            Node& child = children[branch];
            child = node;
            child.rows = rows[branch];
            if (branch == 0) child.end = node.begin + n_left;
            if (branch == 1) child.begin = node.begin + n_left;
            child.side = 1 - node.side;
            child.depth = node.depth + 1;
            std::size_t n = 0;
            for (std::uint64_t rest = child.rows; rest != 0; rest &= rest - 1) {
                here_[n++] = y_[static_cast<std::size_t>(std::countr_zero(rest))];
            }
            std::array<double, kMoments> sums;
            if (n == 1) {
                sums = moments_of(here_[0]);
            } else {
                squared_moments(here_.data(), n, here_.data() + n / kStrands * kStrands, sums.data());
            }
            const auto n_rows = static_cast<std::int64_t>(n);
            child.record = output.add(sums, n_rows, sums[kWeight], sums[kImpurity]);
            is_open[branch] = !ends_by_size(growth_.options, child.depth, n_rows, sums[kWeight]) && sums[kRange] > 0;
            needs_order |= is_open[branch] && n > 2;
        }
        if (needs_order) partition(node, n_left, right);
        for (std::size_t branch = 2; branch-- > 0;) {
            if (is_open[branch]) open_.push_back(children[branch]);
        }
    }

    void partition(const Node& node, std::size_t n_left, std::uint64_t right) {
        ordered_.resize(node.n_active);
        std::size_t n = 0;
        for (std::size_t f = 0; f < node.n_active; ++f) {
            ordered_[n] = features_[f].slot;
            n += !features_[f].two_values;
        }
        divide_orders(order_[node.side].data(), order_[1 - node.side].data(), {ordered_.data(), n},
                      {node.begin, node.size(), right, n_left});
    }

    // What moments() gives for one row.
    static std::array<double, kMoments> moments_of(double y) {
        std::array<double, kMoments> out{};
        out[kWeight] = 1;
        out[kSum] = 0.0 + y;  // a sum of zeros has no sign
        out[kSquares] = y * y;
        out[kAnswer] = y;
        return out;
    }

    void place_thresholds(Output& output) {
        const auto value_of = [&](std::size_t feature, int i) {
            const RankedColumn& column = (*sample_.columns)[feature];
            const std::size_t row = row_[static_cast<std::size_t>(i)];
            return column.coded ? column.values[sample_.code(row, column.slot)]
                                : growth_.columns[feature].number(sample_.origin_of(row));
        };
        for (Pending& split : pending_) {
            split.below = value_of(split.feature, split.below_row);
            split.above = value_of(split.feature, split.above_row);
        }
        for (const Pending& split : pending_) {
            Record& record = output.records[split.record];
            if (split.is_pair && split.above < split.below) {
                record.threshold = between(split.above, split.below);
                record.score = split.other_gain;
                output.swap_sums(record.first_child, record.first_child + 1);
            } else {
                record.threshold = between(split.below, split.above);
            }
        }
        pending_.clear();
    }

    const Growth& growth_;
    const Sample<Index>& sample_;
    bool serves_ = false;
    std::int64_t min_rows_ = 1;
    std::size_t n_ = 0;
    std::array<Index, kMost> row_{};  // in the order of the table
    std::array<double, kMost> y_{}, drift_{};
    std::array<double, kMost + kStrands> here_{};
    std::array<std::int64_t, kMost> whole_{};                    // rounded responses of the node being split
    std::array<std::array<double, kMost>, kMost + 1> factor_{};  // W / (l r), by W and l - 1
    Buffer<std::uint8_t> number_;                                // by row of the sample: its number here
    std::vector<Feature> features_;
    std::array<std::vector<std::uint8_t>, 2> order_;  // by feature: the rows of a node in the order of the values
    std::vector<std::uint8_t> rank_;                  // by feature and row
    std::vector<std::size_t> ordered_;                // slots of the features whose orders are divided
    std::vector<std::size_t> distinct_;               // those of the distinct features, which come first
    std::vector<double> highest_;                     // values of their cuts at the node being split
    std::vector<Node> open_;
    std::vector<Pending> pending_;
};

}  // namespace boxwood
