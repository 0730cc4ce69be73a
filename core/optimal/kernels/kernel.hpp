// The best tree of depth at most three on one part of the rows, by counting.
//
// The kernel sorts and orients the columns of the part, drops those that are
// constant or repeated in it, counts singles, pairs and triples of features
// (triples.hpp) in the narrowest numbers that hold the sums, and combines:
// with leaf(r, a) the cost of the side r = a as a leaf, and M0 and M1 the cost
// of a cell {r = a, x = b} as a leaf and with at most one split, the best side
// with at most
//
//     1 leaf    leaf(r, a)
//     2 leaves  min over x of M0(0) + M0(1)
//     3 leaves  min over x of M0(0) + M1(1), M1(0) + M0(1)
//     4 leaves  min over x of M1(0) + M1(1),
//
// and a tree is a root with two sides. One count so answers every budget of
// leaves and every leaf cost.
//
// Ties go to a single leaf first, then to the lowest feature, then to the
// fewest leaves on the left: the choice is a function of the part alone.
#pragma once

#include <array>

#include "data/buffer.hpp"
#include "optimal/control.hpp"
#include "optimal/kept.hpp"
#include "optimal/kernels/local.hpp"
#include "optimal/rows.hpp"

namespace boxwood::optimal {

enum class Machine : int { kBest, kPortable, kAvx2, kAvx512 };

// The functions of an instruction set; throws std::invalid_argument if this machine has none.
const Functions& functions_of(Machine machine);

struct Shallow {
    bool complete = false;      // false: stopped
    std::array<Cost, 9> value;  // place l: least objective with at most l leaves
    std::int32_t feature = -1;  // of the table; the root for the budget asked for; -1: a leaf
    std::int32_t left_leaves = 0, right_leaves = 0;
};

// A feature that splits the part, and the least objective of a tree with it as root.
struct Root {
    Cost value;
    std::int32_t feature;
};

class Kernel {
  public:
    Kernel(const Rows& rows, const Limits& limits, Control& control, std::size_t member, Machine machine);

    // The part must not be empty; depth 1 to 3; 2 to 8 leaves, not more than the depth allows.
    // `roots`, if given, gets every feature that is a split of its own, with its value for the whole budget.
    Shallow solve(const Part& part, int depth, int leaves, std::vector<Root>* roots = nullptr);

    // Start counts of depth three from the tables there, and add new ones; null: none are kept.
    void share(Kept* kept) { kept_ = kept; }

    // Bytes that a call of this depth can need.
    static std::size_t memory(const Rows& rows, int depth, const Functions& functions);

    std::int64_t calls = 0;

  private:
    struct Column {
        std::uint32_t support, feature;
        bool flipped;
        std::uint64_t hash;
    };
    void choose(const Part& part);
    void place_columns();
    bool put_last(const PairTable& table, std::size_t number_bytes);
    void hand_on(const Part& part, std::size_t number_bytes);
    bool same(const Column& a, const Column& b, const Part& part) const;
    void fit_slices(const Part& part);
    void lay_out(std::size_t size, int depth);
    void find_rows(const Part& part);
    template <class T>
    void combine(int depth, int leaves, Shallow& out, std::vector<Root>* roots);
    template <class T>
    void combine_freely(int depth, Shallow& out, std::vector<Root>* roots);

    const Rows& rows_;
    const Limits& limits_;
    Control& control_;
    std::size_t member_;
    const Functions& functions_;
    Kept* kept_ = nullptr;
    std::vector<std::uint64_t> multipliers_;
    std::vector<std::uint32_t> live_, count_, row_of_;
    std::vector<std::uint64_t> hash_;
    std::vector<Column> columns_;
    std::vector<const std::uint64_t*> column_;
    std::vector<std::uint8_t> flipped_;
    std::vector<LocalSlice> slices_;
    std::vector<std::size_t> sources_;  // of the slices, in the table
    std::vector<std::int64_t> sums_;
    std::vector<Cost> side_;
    Buffer<std::uint8_t> room_;
    Form form_ = Form::kSmallest;
    bool masked_ = false;
    std::int64_t total_ = 0;
    Local local_{};
};

}  // namespace boxwood::optimal
