// Columns of few distinct values, counted in one walk.
//
// What a discretiser wants of a column, the class weights of each distinct value
// (discretize/groups.hpp), needs no order of the rows if the values are few: a
// hash table numbers them as they come, a matrix of values by classes takes the
// weights, and only the values are sorted, at the end. One look-up and one
// addition per cell, where putting the rows in order writes and reads each of
// them several times; on columns of some ten values about five times faster, on
// columns of some thousand more than that.
//
// "Few" is what keeps table and matrix in the cache: up to 8192 values, fewer
// for very many classes, and no more than a sixteenth of the rows (but 255 in
// any case), so that a column which turns out to have more has cost little.
//
// Weights add up exactly in any order, so the groups are those that sorting gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "discretize/groups.hpp"

namespace boxwood::discretize {

// How many distinct values are few.
std::size_t few_values(std::size_t n_rows, std::size_t n_classes);

class ValueCounts {
  public:
    ValueCounts(std::size_t most, std::size_t n_classes);

    // Takes in the rows [begin, end) of a column of numbers; from the value that is one too many on, nothing more.
    void add(const Column& column, const Labels& labels, std::size_t begin, std::size_t end);
    bool too_many() const { return too_many_; }

    // The groups of all rows taken in. Throws std::domain_error if a number is infinite.
    Groups groups() const;

  private:
    // A value, by its bits, and the beginning of its row in the matrix. Free slots have the bits of a number that is
    // none, and the first row, which nobody reads: so a free slot need not be told from another to be added to.
    struct Slot {
        std::uint64_t key;
        std::uint32_t row;
    };

    template <bool kWeighted>
    void add_rows(const Column& column, const Labels& labels, std::size_t begin, std::size_t end);
    bool add_slowly(std::uint64_t key, std::int32_t label, double weight);
    // The slot of a key, free or not.
    std::size_t find(std::uint64_t key) const;
    bool enter(std::uint64_t key);
    void grow();

    std::size_t most_, n_classes_;
    int bits_;
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> keys_;  // in the order of their rows
    std::vector<double> weight_;       // by value, then class
    bool too_many_ = false;
};

}  // namespace boxwood::discretize
