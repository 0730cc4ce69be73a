// What growth writes down: records in the order of growth, then one tree in
// breadth-first order (the arrays of boxwood.tree.Tree).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "data/buffer.hpp"
#include "tree/node.hpp"

namespace boxwood {

// An unlimited tree has two of these per row at most, so they are kept small: 64 bytes.
struct Record {
    double threshold = -2.0;
    double weight = 0;
    double impurity = 0;
    double score = std::numeric_limits<double>::quiet_NaN();
    std::uint32_t first_child = 0;  // record of the first child; the others follow
    std::uint32_t n_children = 0;
    std::uint32_t n_rows = 0;
    std::int32_t feature = -2;
    std::int32_t missing_branch = kStop;
    std::int32_t unknown_branch = kStop;
    std::uint32_t aside = 0;  // 1 + the place of what few records have, see Output::asides; 0: nothing
    Kind kind = Kind::kLeaf;
};

struct Output;

struct Aside {
    std::unique_ptr<Output> graft;                     // the subtree that stands here, grown apart
    std::size_t category_begin = 0, category_end = 0;  // the categories that the split lists
    double p_value = std::numeric_limits<double>::quiet_NaN();
};

struct Output {
    std::size_t n_sums = 0;
    Stream<Record> records;
    Stream<double> sums;  // n_sums per record: class counts; or sums and the answer
    std::vector<Aside> asides;
    std::int64_t n_cuts = 0, n_evaluated = 0;
    std::vector<std::int32_t> category_code, category_branch;

    explicit Output(std::size_t sums_per_record) : n_sums(sums_per_record) {}
    void reserve(std::size_t n_records) {
        records.reserve(n_records);
        sums.reserve(n_records * n_sums);
    }
    // The first n_sums of the node's sums are kept.
    std::size_t add(std::span<const double> node_sums, std::int64_t n_rows, double weight, double impurity) {
        Record& record = records.emplace_back();
        record.n_rows = static_cast<std::uint32_t>(n_rows);
        record.weight = weight;
        record.impurity = impurity;
        sums.insert(sums.end(), node_sums.begin(), node_sums.begin() + static_cast<std::ptrdiff_t>(n_sums));
        return records.size() - 1;
    }
    // A record becomes a split in two, at a threshold to be placed; its children are the next that are added.
    void write_threshold(std::size_t record, std::size_t feature, std::int32_t heavier, double score) {
        Record& here = records[record];
        here.kind = Kind::kThreshold;
        here.feature = static_cast<std::int32_t>(feature);
        here.missing_branch = here.unknown_branch = heavier;
        here.n_children = 2;
        here.first_child = static_cast<std::uint32_t>(records.size());
        here.score = score;
    }
    // A subtree that was grown apart takes the place of a record.
    void graft(std::size_t record, std::unique_ptr<Output> subtree) { make_aside(record).graft = std::move(subtree); }
    // What a test said of the column that a record tests.
    void note_p_value(std::size_t record, double p_value) {
        if (p_value == p_value) make_aside(record).p_value = p_value;
    }
    // The categories that a record lists, and the branch of each.
    template <class Branches>
    void list_categories(std::size_t record, std::span<const std::int32_t> codes, const Branches& branches) {
        if (codes.empty()) return;
        Aside& aside = make_aside(record);
        aside.category_begin = category_code.size();
        category_code.insert(category_code.end(), codes.begin(), codes.end());
        category_branch.insert(category_branch.end(), branches.begin(), branches.end());
        aside.category_end = category_code.size();
    }
    const Aside* aside_of(const Record& record) const { return record.aside > 0 ? &asides[record.aside - 1] : nullptr; }
    // Two leaves of equal rows, weight and impurity change places.
    void swap_sums(std::size_t a, std::size_t b) {
        const auto at = [&](std::size_t record) { return sums.begin() + static_cast<std::ptrdiff_t>(record * n_sums); };
        std::swap_ranges(at(a), at(a + 1), at(b));
    }
    std::span<const double> sums_of(std::size_t record) const { return {sums.data() + record * n_sums, n_sums}; }

  private:
    Aside& make_aside(std::size_t record) {
        if (records[record].aside > 0) return asides[records[record].aside - 1];
        Aside& aside = asides.emplace_back();
        records[record].aside = static_cast<std::uint32_t>(asides.size());
        return aside;
    }
};

struct GrownTree {
    Stream<std::int8_t> kind;
    Stream<std::int32_t> feature;
    Stream<double> threshold;
    Stream<std::int32_t> first_child, n_children, missing_branch, unknown_branch;
    Stream<std::int64_t> category_offset;
    std::vector<std::int32_t> category_code, category_branch;
    Stream<std::int64_t> n_rows;
    Stream<double> weight, sums, impurity, score;
    Stream<double> answer;                     // of a regression
    Stream<double> p_value;                    // where columns were tested
    std::int64_t n_cuts = 0, n_evaluated = 0;  // cuts of numeric columns that there were, and that were weighed
};

// The sums of a tree are class counts; in a regression, weight, sum and sum of squares, with the answer apart.
GrownTree breadth_first(const Output& root, bool is_regression, bool has_p_values);

}  // namespace boxwood
