// One feature's rows at one node, put in order for a search.
//
// Whatever form the column has (ranks.hpp), a search sees one of three things:
//   a sequence  the classes of the known rows in value order (numeric.hpp)
//   a table     class counts by value, from the node's histogram
//   groups      the same, sparse, for categories (groups.hpp)
// and the class counts of the rows without a value, in Scratch::missing.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "criteria/balances/ambiguity.hpp"
#include "criteria/balances/entropy.hpp"
#include "criteria/balances/error.hpp"
#include "criteria/balances/gini.hpp"
#include "criteria/balances/per_cut.hpp"
#include "criteria/balances/tsallis.hpp"
#include "grow/histogram.hpp"
#include "grow/options.hpp"
#include "grow/place.hpp"
#include "grow/sample.hpp"
#include "grow/tags.hpp"
#include "grow/tally.hpp"
#include "search/categorical/groups.hpp"
#include "search/categorical/multiway.hpp"
#include "search/categorical/search.hpp"
#include "search/cut_rule.hpp"
#include "search/numeric.hpp"
#include "search/two_classes.hpp"
#include "select/association.hpp"

namespace boxwood {

// Ties: gains within this part of the node's impurity are equal.
inline constexpr double kTie = 1e-12;

template <bool kUnit>
struct NodeFacts {
    std::size_t begin = 0, end = 0;
    std::span<const double> total;
    double weight = 0, impurity = 0, worth = 0;
    double error = 0;  // of the searches' values
    double slack = 0;  // values nearer than this are settled by the judges
    const Histogram<kUnit>* histogram = nullptr;
    std::span<const std::uint16_t> labels;  // of the node's rows, in their order; may be left empty
    std::uint64_t key = 0;
    Bounds bounds;

    std::int64_t rows() const { return static_cast<std::int64_t>(end - begin); }
    double tolerance() const { return kTie * impurity; }
};

template <bool kUnit>
struct Scratch {
    using Gini = std::conditional_t<kUnit, GiniUnit, GiniWeighted>;
    using Entropy = std::conditional_t<kUnit, EntropyUnit, EntropyWeighted>;
    using Tsallis = std::conditional_t<kUnit, TsallisUnit, TsallisWeighted>;
    explicit Scratch(const Growth& growth)
        : gini(growth.tables),
          entropy(growth.tables),
          tsallis(growth.tables, growth.options.measure.q),
          error(growth.tables),
          ambiguity(growth.tables),
          ambiguity_per_cut(growth.tables),
          sine(growth.tables),
          twoing(growth.tables),
          hellinger(growth.tables),
          judged(growth.options.measure) {}
    std::vector<std::uint16_t> label;
    std::vector<std::int32_t> ones;
    std::vector<std::uint8_t> change, look;
    std::vector<std::uint8_t> differ;                                     // has the next row another class?
    std::vector<double> weight, missing, zero, known, left, right, side;  // sums by class, but for weight
    std::vector<std::uint32_t> cuts;
    std::vector<std::int32_t> pure;
    std::vector<std::uint64_t> keys;  // see order_by_code()
    std::vector<std::uint8_t> code;
    std::vector<std::uint32_t> alone;  // see order_by_code()
    std::vector<std::uint16_t> touched;
    std::vector<std::uint32_t> tallies;
    Groups groups;
    GroupSearch group_search;
    Multiway multiway;
    AssociationSpace association;
    std::int64_t n_cuts = 0, n_candidates = 0;  // of the numeric feature loaded last
    double drawn_threshold = 0;
    int rising = 0;  // the monotonic constraint on it
    Gini gini;
    Entropy entropy;
    Tsallis tsallis;
    ErrorBalance error;
    AmbiguityBalance ambiguity;
    AmbiguityPerCut ambiguity_per_cut;
    SineBalance sine;
    TwoingBalance twoing;
    HellingerBalance hellinger;
    JudgedBalance judged;
};

template <class Index, bool kUnit>
class Loader {
  public:
    using Facts = NodeFacts<kUnit>;
    using Space = Scratch<kUnit>;
    using Cell = typename Histogram<kUnit>::Cell;

    struct Ordered {
        Sequence sequence;
        std::span<const std::int32_t> ones;
        std::int64_t missing_rows = 0;
        std::int64_t n_cuts = 0, n_looks = 0;  // with marks
    };
    struct Table {
        const Cell* cells = nullptr;
        const std::uint32_t* rows = nullptr;
        std::size_t n_values = 0, n_present = 0;
        std::int64_t known_rows = 0, missing_rows = 0;
        std::int64_t rows_of(std::size_t g, std::size_t n_classes) const {
            if constexpr (kUnit) {
                std::int64_t sum = 0;
                for (std::size_t k = 0; k < n_classes; ++k) sum += cells[g * n_classes + k];
                return sum;
            } else {
                return rows[g];
            }
        }
    };

    Loader(const Sample<Index>& sample, std::span<const Column> columns, std::size_t n_classes, const Options& options,
           const HistogramPlan& plan)
        : sample_(sample), columns_(columns), n_classes_(n_classes), options_(options), plan_(plan) {
        minimum_ = {std::max<std::int64_t>(1, options.min_samples_leaf), options.min_weight_leaf};
        if constexpr (kUnit) {  // a minimum weight is a minimum number of rows
            minimum_.rows = std::max(minimum_.rows, static_cast<std::int64_t>(std::ceil(minimum_.weight)));
        }
        rule_ = options.all_cuts || !options.monotonic.empty() ? CutRule::kAll : options.measure.rule(n_classes);
    }

    const Minimum& minimum() const { return minimum_; }
    CutRule rule() const { return rule_; }
    // Do this many rows without a value get a branch of their own?
    bool own_branch(std::int64_t missing_rows, double missing_weight) const {
        return options_.missing == MissingMode::kBranch && minimum_.allows(missing_rows, missing_weight);
    }
    // Does a candidate leave so many rows out, or count them in a branch of their own?
    bool stand_aside(std::int64_t missing_rows, double missing_weight) const {
        return options_.missing == MissingMode::kSurrogate || own_branch(missing_rows, missing_weight);
    }
    static double missing_weight(const Space& space) {
        return std::accumulate(space.missing.begin(), space.missing.end(), 0.0);
    }

    bool two_class_kernel(const Facts& facts) const {
        const Measure& measure = options_.measure;
        return kUnit && n_classes_ == 2 && has_two_class_kernel(measure) && facts.rows() <= kTwoClassRows &&
               !(measure.is_score() && options_.missing == MissingMode::kBranch);
    }

    const Cell* histogram_of(const Facts& facts, std::size_t feature) const {
        const std::size_t place = plan_.place(feature);
        if (facts.histogram == nullptr || place == HistogramPlan::kNone || place >= facts.histogram->n_columns) {
            return nullptr;
        }
        return facts.histogram->cells.data() + plan_.offset(place);
    }

    std::span<const Item<Index>> items_of(const Facts& facts, const RankedColumn& column) const {
        return sample_.items_of(column, facts.begin, facts.end);
    }

    Ordered load_sequence(const Facts& facts, std::size_t feature, Space& space, bool& constant) const {
        return load_sequence(facts, feature, space, constant, false);
    }
    // The same, with the cuts marked that a search needs to look at, and counted.
    Ordered load_marked(const Facts& facts, std::size_t feature, Space& space, bool& constant) const {
        return load_sequence(facts, feature, space, constant, true);
    }

    // Of a sorted column without missing rows, for unit weights: space.left, the classes of the first rows in its
    // order.
    void count_first(std::span<const Item<Index>> items, const RankedColumn& column, std::size_t n,
                     std::span<const double> total, Space& space) const {
        const int bits = sample_.tag_bits[column.slot];
        const auto tag = static_cast<Index>((1u << bits) - 1);
        const bool few = 2 * n <= items.size();  // else the others are counted
        const auto counted = few ? items.first(n) : items.subspan(n);
        space.left.assign(n_classes_, 0.0);
        if (bits > 0) {
            tally(counted.size(), [&](std::size_t i) { return counted[i].rank & tag; }, space.left, space.tallies);
        } else {
            tally(
                counted.size(), [&](std::size_t i) { return sample_.label(counted[i].row); }, space.left,
                space.tallies);
        }
        if (few) return;
        for (std::size_t k = 0; k < n_classes_; ++k) space.left[k] = total[k] - space.left[k];
    }

  private:
    // Lists are filled and marked in stretches that stay in the first cache.
    static constexpr std::size_t kStretch = 2048;

    Ordered load_sequence(const Facts& facts, std::size_t feature, Space& space, bool& constant, bool marked) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        if (column.has_missing) space.missing.assign(n_classes_, 0.0);
        return column.coded ? load_coded(facts, column, space, constant, marked)
                            : load_sorted(facts, column, space, constant, marked);
    }

    // Marks the cuts of a sequence while it is filled. With `listed`, the only cuts that may need no look are known, in
    // space.alone, and the sequence comes in one piece.
    class Marker {
      public:
        Marker(const Loader& loader, Space& space, std::size_t known, std::int64_t missing_rows, bool two_classes,
               bool by_differ, bool wanted, bool listed = false)
            : space_(space),
              known_(known),
              two_classes_(two_classes),
              by_differ_(by_differ),
              wanted_(wanted),
              listed_(listed) {
            const bool even = loader.rule_ == CutRule::kEqualShares;
            all_ = loader.rule_ == CutRule::kAll || known < 4 || (even && (!two_classes || missing_rows > 0)) ||
                   (listed && space.alone.empty());
            even_ = even && !all_;
            late_ = by_differ && !all_ && !even_ && marks_late(loader.options_.measure);
            if (wanted && !all_ && space.look.size() < known) space.look.resize(known);
        }
        // Are there cuts that need no look?
        bool marks() const { return wanted_ && !all_; }
        // The sequence is filled up to `filled`.
        void go_on(std::size_t filled) {
            if (!wanted_) return;
            const std::size_t to = filled == known_ ? known_ : filled - std::min<std::size_t>(filled, 2);
            if (to <= done_) return;
            const std::span<const std::uint8_t> change(space_.change.data(), known_);
            const std::size_t n = to - done_;
            const std::span<const std::uint8_t> differ(space_.differ.data(), by_differ_ ? known_ : 0);
            if (late_) {
                const CutCounts counts = count_boundaries(change, differ, done_, to);
                n_cuts_ += counts.cuts;
                n_looks_ += counts.boundaries;
                done_ = to;
                return;
            }
            if (!all_ && listed_) {
                mark_listed();
            } else if (!all_ && by_differ_) {
                mark_boundaries(change, differ, done_, to, space_.look.data());
            } else if (!all_ && two_classes_) {
                mark_boundaries(change, std::span<const std::int32_t>(space_.ones.data(), known_), done_, to,
                                space_.look.data());
            } else if (!all_) {
                mark_boundaries(change, std::span<const std::uint16_t>(space_.label.data(), known_), done_, to,
                                space_.look.data());
            }
            n_cuts_ += count_marks(change.subspan(done_, n));
            if (!all_ && !even_) n_looks_ += count_marks({space_.look.data() + done_, n});
            done_ = to;
        }
        void finish(const Facts& facts, Ordered& ordered) {
            if (!wanted_) return;
            Sequence& sequence = ordered.sequence;
            sequence.look = all_ || late_ ? sequence.change : std::span<const std::uint8_t>(space_.look.data(), known_);
            if (late_) sequence.marks = space_.look.data();
            if (even_) {
                mark_equal_shares(sequence.change, ordered.ones, static_cast<double>(facts.rows()), facts.total[1],
                                  space_.look.data());
                n_looks_ = count_marks(sequence.look);
            }
            ordered.n_cuts = n_cuts_;
            ordered.n_looks = all_ ? n_cuts_ : n_looks_;
        }

      private:
        void mark_listed() {
            std::memcpy(space_.look.data(), space_.change.data(), known_);
            for (const std::uint32_t i : space_.alone) {
                if (i == 0 || i + 2 >= known_) continue;
                const bool differ = two_classes_
                                        ? space_.ones[i + 1] - space_.ones[i] != space_.ones[i] - space_.ones[i - 1]
                                        : space_.label[i] != space_.label[i + 1];
                if (!differ) space_.look[i] = 0;
            }
        }

        Space& space_;
        std::size_t known_, done_ = 0;
        std::int64_t n_cuts_ = 0, n_looks_ = 0;
        bool two_classes_, by_differ_, wanted_, listed_, all_ = false, even_ = false, late_ = false;
    };

    Ordered load_sorted(const Facts& facts, const RankedColumn& column, Space& space, bool& constant,
                        bool marked) const {
        const auto items = items_of(facts, column);
        const std::size_t known = known_of(items, column);
        Ordered out;
        out.missing_rows = static_cast<std::int64_t>(items.size() - known);
        constant = known == 0 || (out.missing_rows == 0 && !sample_.differ(items[0], items[known - 1], column.slot));
        if (constant) return out;
        for (std::size_t i = known; i < items.size(); ++i) {
            space.missing[sample_.label(items[i].row)] += sample_.weight_of(items[i].row);
        }
        reserve(space, known, false);
        const int bits = sample_.tag_bits[column.slot];
        const auto tag = static_cast<Index>((1u << bits) - 1);
        const bool two_classes = two_class_kernel(facts);
        space.change[known - 1] = 0;
        const bool tagged = two_classes && bits > 0;
        if (tagged && space.differ.size() < known) space.differ.resize(known);
        Marker marker(*this, space, known, out.missing_rows, two_classes, tagged, marked);
        const bool compare = tagged && marker.marks();
        std::int32_t ones = 0;
        for (std::size_t from = 0; from < known; from += kStretch) {
            const std::size_t to = std::min(from + kStretch, known);
            note_changes(items.subspan(from, std::min(to + 1, known) - from), tag, space.change.data() + from,
                         compare ? space.differ.data() + from : nullptr);
            if (tagged) {
                ones = count_ones(items.subspan(from, to - from), ones, space.ones.data() + from);
            } else if (two_classes) {
                for (std::size_t i = from; i < to; ++i) space.ones[i] = ones += sample_.label8[items[i].row];
            } else if (bits > 0) {
                take_labels(items.subspan(from, to - from), tag, space.label.data() + from);
            } else {
                for (std::size_t i = from; i < to; ++i) {
                    space.label[i] = static_cast<std::uint16_t>(sample_.label(items[i].row));
                }
            }
            marker.go_on(to);
        }
        if constexpr (!kUnit) {
            for (std::size_t i = 0; i < known; ++i) space.weight[i] = sample_.weight[items[i].row];
        }
        give(out, space, known, two_classes);
        marker.finish(facts, out);
        return out;
    }

    // The rows of a node in the order of a coded column: by insertion when few, else by counting.
    Ordered load_coded(const Facts& facts, const RankedColumn& column, Space& space, bool& constant,
                       bool marked) const {
        const std::size_t n = facts.end - facts.begin;
        reserve(space, n, true);
        const std::size_t known = order_by_code(facts, column, space, constant);
        Ordered out;
        out.missing_rows = static_cast<std::int64_t>(n - known);
        if (constant) return out;
        const std::uint64_t* keys = space.keys.data();
        const Index* rows = sample_.rows.data() + facts.begin;
        space.change[known - 1] = 0;
        for (std::size_t i = known; i < n; ++i) {
            space.missing[label_of(keys[i])] += sample_.weight_of(rows[place_of(keys[i])]);
        }
        if (two_class_kernel(facts)) {
            std::int32_t ones = 0;
            for (std::size_t i = 0; i < known; ++i) space.ones[i] = ones += label_of(keys[i]);
        } else {
            for (std::size_t i = 0; i < known; ++i) space.label[i] = label_of(keys[i]);
        }
        if constexpr (!kUnit) {
            for (std::size_t i = 0; i < known; ++i) space.weight[i] = sample_.weight[rows[place_of(keys[i])]];
        }
        give(out, space, known, two_class_kernel(facts));
        Marker marker(*this, space, known, out.missing_rows, two_class_kernel(facts), false, marked, true);
        marker.go_on(known);
        marker.finish(facts, out);
        return out;
    }

    // Fills space.keys, one per row of the node in the order of its code, missing rows last, and space.change; and
    // space.alone, the cuts between two values of one row each. Returns how many rows are known.
    std::size_t order_by_code(const Facts& facts, const RankedColumn& column, Space& space, bool& constant) const {
        const std::size_t n = facts.end - facts.begin;
        const Index* rows = sample_.rows.data() + facts.begin;
        const std::uint8_t* codes = sample_.codes.data() + column.slot;
        const auto key = [&](std::size_t i) {
            const std::size_t label = facts.labels.empty() ? sample_.label(rows[i]) : facts.labels[i];
            return std::uint64_t{i} << 16 | label;
        };
        std::uint64_t* keys = space.keys.data();
        std::uint8_t* code = space.code.data();
        std::size_t known = n;
        space.alone.clear();
        if (n <= 8 || (n <= 24 && column.n_values > 64)) {  // counting costs a step per value
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint8_t here = codes[rows[i] * sample_.n_coded];
                std::size_t at = i;
                for (; at > 0 && code[at - 1] > here; --at) {
                    code[at] = code[at - 1];
                    keys[at] = keys[at - 1];
                }
                code[at] = here;
                keys[at] = key(i);
            }
            while (known > 0 && code[known - 1] == column.n_values) --known;
            std::size_t begin = 0;  // of a run of values of one row each
            for (std::size_t i = 0; i + 1 < known; ++i) {
                space.change[i] = code[i] != code[i + 1];
                if (space.change[i] == 0) {
                    begin = i + 2;
                } else if (i > begin) {
                    space.alone.push_back(static_cast<std::uint32_t>(i - 1));
                }
            }
            if (known > begin + 1) space.alone.push_back(static_cast<std::uint32_t>(known - 2));
            constant = known == 0 || (known == n && code[0] == code[n - 1]);
            return known;
        }
        std::array<std::uint32_t, kMostCoded + 2> start;
        std::fill_n(start.begin(), column.n_values + 2, 0u);
        for (std::size_t i = 0; i < n; ++i) {
            code[i] = codes[rows[i] * sample_.n_coded];
            ++start[code[i] + 1u];
        }
        known = n - start[column.n_values + 1];
        std::size_t present = 0;
        bool single = false;  // has the last value that is there one row?
        std::memset(space.change.data(), 0, n);
        for (std::size_t c = 0; c < column.n_values; ++c) {
            const std::uint32_t rows_here = start[c + 1];
            present += rows_here > 0;
            start[c + 1] += start[c];
            if (single && rows_here == 1) space.alone.push_back(start[c + 1] - 2);
            if (rows_here > 0) single = rows_here == 1;
            if (start[c + 1] > 0) space.change[start[c + 1] - 1] = 1;
        }
        constant = known == 0 || (known == n && present == 1);
        if (constant) return known;
        for (std::size_t i = 0; i < n; ++i) keys[start[code[i]]++] = key(i);
        return known;
    }

  public:
    // A key holds a row's place in its node, and its class.
    static std::size_t place_of(std::uint64_t key) { return key >> 16; }
    static std::uint16_t label_of(std::uint64_t key) { return static_cast<std::uint16_t>(key & 0xFFFF); }

    static void reserve(Space& space, std::size_t n, bool coded) {
        if (space.change.size() < n) {
            space.change.resize(n);
            space.label.resize(n);
            space.ones.resize(n);
            if constexpr (!kUnit) space.weight.resize(n);
        }
        if (coded && space.keys.size() < n) {
            space.keys.resize(n);
            space.code.resize(n);
        }
    }
    static void give(Ordered& out, const Space& space, std::size_t known, bool ones) {
        out.sequence.change = {space.change.data(), known};
        if (ones) {
            out.ones = {space.ones.data(), known};
        } else {
            out.sequence.label = {space.label.data(), known};
        }
        if constexpr (!kUnit) out.sequence.weight = {space.weight.data(), known};
    }

    Table load_table(const Facts& facts, std::size_t feature, const Cell* cells, Space& space) const {
        const RankedColumn& column = (*sample_.columns)[feature];
        Table table;
        table.cells = cells;
        if constexpr (!kUnit) table.rows = facts.histogram->rows.data() + plan_.row_offset(plan_.place(feature));
        table.n_values = column.n_values;
        for (std::size_t g = 0; g < table.n_values; ++g) {
            const std::int64_t rows = table.rows_of(g, n_classes_);
            table.n_present += rows > 0;
            table.known_rows += rows;
        }
        table.missing_rows = facts.rows() - table.known_rows;
        space.missing.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) {
            space.missing[k] = static_cast<double>(cells[table.n_values * n_classes_ + k]);
        }
        return table;
    }

    // Fills space.groups and space.missing; returns the number of rows without a value. The values of a sorted column
    // of numbers have the place of their last row in place of a code.
    std::int64_t load_groups(const Facts& facts, std::size_t feature, Space& space) const {
        Groups& groups = space.groups;
        groups.clear();
        const RankedColumn& column = (*sample_.columns)[feature];
        if (const Cell* cells = histogram_of(facts, feature)) {
            const Table table = load_table(facts, feature, cells, space);
            for (std::size_t g = 0; g < table.n_values; ++g) {
                const std::int64_t rows = table.rows_of(g, n_classes_);
                if (rows == 0) continue;
                for (std::size_t k = 0; k < n_classes_; ++k) {
                    const Cell c = cells[g * n_classes_ + k];
                    if (c != Cell{}) groups.add(static_cast<std::uint16_t>(k), static_cast<double>(c));
                }
                groups.close(static_cast<std::int32_t>(g), rows);
            }
            return table.missing_rows;
        }
        bool constant = false;
        const Ordered ordered = load_sequence(facts, feature, space, constant);
        if (constant) return 0;
        const auto change = ordered.sequence.change;
        const bool ones = !ordered.ones.empty();
        space.left.assign(n_classes_, 0.0);
        std::size_t begin = 0;
        for (std::size_t i = 0; i < change.size(); ++i) {
            const std::size_t k = ones ? static_cast<std::size_t>(ordered.ones[i] - (i > 0 ? ordered.ones[i - 1] : 0))
                                       : ordered.sequence.label[i];
            if (space.left[k] == 0) space.touched.push_back(static_cast<std::uint16_t>(k));
            space.left[k] += kUnit ? 1.0 : ordered.sequence.weight[i];
            if (!change[i] && i + 1 < change.size()) continue;
            std::sort(space.touched.begin(), space.touched.end());
            for (const std::uint16_t label : space.touched) {
                groups.add(label, space.left[label]);
                space.left[label] = 0;
            }
            space.touched.clear();
            const std::size_t row =
                column.coded ? sample_.rows[facts.begin + place_of(space.keys[i])] : items_of(facts, column)[i].row;
            const std::int32_t code = column.coded         ? sample_.code(row, column.slot)
                                      : column.categorical ? columns_[feature].code(sample_.origin_of(row))
                                                           : static_cast<std::int32_t>(i);
            groups.close(code, static_cast<std::int64_t>(i + 1 - begin));
            begin = i + 1;
        }
        return ordered.missing_rows;
    }

  private:
    const Sample<Index>& sample_;
    std::span<const Column> columns_;
    std::size_t n_classes_;
    const Options& options_;
    const HistogramPlan& plan_;
    Minimum minimum_;
    CutRule rule_;
};

}  // namespace boxwood
