// A contingency table in canonical form: what every search for a grouping works on.
//
// The same table must give the same grouping whatever the order of its rows and
// of its categories. So the values are put in an order that only their counts
// decide (by class shares, then by weight; of equal rows, by code), and every
// sum and every tie of a search follows that order.
//
// Values with equal class shares can be joined into one ("supervalues",
// Coppersmith, Hong and Hosking 1999). While part of such a value moves from one
// side to the other, a concave impurity of the split is concave in that part, so
// some best grouping keeps it whole, unless a minimum leaf size forbids that.
// Shares are compared to twelve digits (share.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/categorical/groups.hpp"

namespace boxwood {

struct ValueTable {
    Groups rows;  // in canonical order; code[v] is v
    std::vector<double> total;
    double weight = 0;
    std::int64_t n_rows = 0;
    std::vector<std::uint32_t> member;  // the groups of value v are member[first[v]] .. member[first[v + 1]]
    std::vector<std::uint32_t> first{0};

    std::size_t size() const { return rows.size(); }
    std::size_t n_classes() const { return total.size(); }
    void fill(const Groups& groups, std::size_t n_classes, bool join_equal_shares);

  private:
    std::vector<double> share_, key_;
    std::vector<std::uint32_t> order_;
};

// values x classes present, without the classes that no value has: for searches that need whole rows.
struct DenseTable {
    std::size_t n_values = 0, n_classes = 0;
    std::vector<double> count;         // by value, then class
    std::vector<std::uint16_t> label;  // of each class present
    std::span<const double> row(std::size_t v) const { return {count.data() + v * n_classes, n_classes}; }
};
DenseTable dense(const ValueTable& table);

}  // namespace boxwood
