// The rows as the solver sees them: bit columns, and what a set of rows adds up
// to.
//
// Columns that are constant, or too lopsided for the smallest leaf, are dropped
// once and for all (in a part of the rows they are no better), and of columns
// that are equal or complementary the first one stays. Identical rows of one class
// become one row where that makes the counting shorter. The rows are ordered by
// class, and every class starts a new word of 64, so that a set of rows is a
// bit mask, and its class counts are population counts of ranges of words.
//
// Planes and slices. What matters about a set of rows is a small vector of sums,
// its planes: without a cost matrix the weight of each class, and the leaf costs
// what lies outside the largest one; with a matrix the cost of each answer, and
// the leaf costs the smallest one (what a row costs in any case is set aside,
// in `offset`). A plane of whole numbers is a sum of slices: the rows whose
// number has bit b, counted and shifted by b. Unit weights make one slice per
// class; everything that counts, here and in the kernels, counts slices, and so
// it need not know about weights and costs.
//
// Further planes follow the valued ones when a leaf has a minimum size that the
// valued planes do not tell.
//
// Bounds from here (all of them for a whole number of leaf costs to be added):
// - floor(S): identical rows cannot be told apart, so each group of them costs
//   at least its best answer ("equivalent points").
// - worst(S): what the rows of S can cost at most, whatever the answers.
//
// Making them is O(rows * features) and can take longer than a caller's time; so
// it asks the control now and then, and may end with nothing made.
#pragma once

#include "optimal/control.hpp"
#include "optimal/problem.hpp"

namespace boxwood::optimal {

using Word = std::uint64_t;

struct Slice {
    std::int32_t plane = 0, shift = 0;
    std::size_t begin = 0, end = 0;  // words
    std::vector<Word> mask;          // end - begin words
};

// A set of rows: its mask, and the sum of each plane.
struct Part {
    std::vector<Word> mask;
    std::vector<std::int64_t> sums;
};

struct RowsOptions {
    bool merge = true;
    Control* control = nullptr;  // what may end the making; null: nothing
};

// Asks a control, if there is one, after every few thousand pieces of work; once it has said yes, it is not asked
// again.
class Stop {
  public:
    explicit Stop(Control* control) : control_(control) {}
    bool after(std::size_t work) {
        constexpr std::size_t kSeldom = 50'000;
        if (control_ == nullptr || stopped_ || (since_ += work) < kSeldom) return stopped_;
        since_ = 0;
        return stopped_ = control_->look(0);
    }
    bool stopped() const { return stopped_; }

  private:
    Control* control_;
    std::size_t since_ = 0;
    bool stopped_ = false;
};

class Rows {
  public:
    Rows(const Problem& problem, const Limits& limits, RowsOptions options = {});

    // Bytes that making one takes at most.
    static std::size_t setup_bytes(const Problem& problem);

    bool unfinished = false;  // the control ended the making: there is nothing here

    std::size_t n_words = 0;
    std::size_t n_rows = 0;              // after merging
    std::size_t n_features = 0;          // columns that stayed
    std::vector<std::int32_t> original;  // column here -> column of the problem
    std::vector<Word> columns;           // n_features x n_words

    std::size_t n_planes = 0;   // that have a value
    std::size_t n_further = 0;  // that only tell a size
    std::vector<Slice> slices;  // ordered by plane, then word; the valued ones first
    bool partition = false;     // every row is in exactly one slice
    bool largest = false;       // a leaf costs all but the largest plane, else the smallest plane
    Cost offset = 0;            // what all rows cost in any case, in units of the objective

    // A leaf must have at least this sum of all valued planes, and these sums of the further ones. When
    // `plain_sizes`, only emptiness matters, and no minimum can bind.
    std::int64_t least_sum = 0;
    std::vector<std::int64_t> least_further;
    bool plain_sizes = true;

    const Word* column(std::size_t feature) const { return columns.data() + feature * n_words; }
    Part all() const;
    // The rows of `part` whose feature is `one`, into `out`; its sums too.
    void restrict(const Part& part, std::size_t feature, bool one, Part& out) const;
    void add_up(Part& part) const;

    bool empty(const Part& part) const;
    bool large_enough(const Part& part) const;
    Cost leaf(const Part& part) const;  // in units of weight; the leaf cost is not in it
    std::int32_t answer(const Part& part) const;
    Cost floor(const Part& part) const { return weigh(floor_slices_, part.mask.data(), nullptr); }
    // Whether a column from `first` on divides the part into large enough sides, and as none before `first` does. If
    // not, they make no tree on the part, nor on any part of it, that the columns before them do not make.
    bool told_apart_anew(const Part& part, std::size_t first) const;
    // worst(rows of `a` that are not in `b`)
    Cost worst(const Word* a, const Word* b) const;

  private:
    void keep_columns(const Problem& problem, const class PackedRows& packed, const Limits& limits, Stop& stop);
    static std::vector<Slice> sliced(std::span<const std::int64_t> numbers, std::int32_t plane,
                                     std::size_t first_word = 0);
    static Cost weigh(const std::vector<Slice>& slices, const Word* a, const Word* except);

    std::vector<Word> full_;
    std::vector<Slice> floor_slices_, worst_slices_;
    bool unit_worst_ = false;
    std::vector<std::int32_t> plane_answer_;  // plane -> class
};

}  // namespace boxwood::optimal
