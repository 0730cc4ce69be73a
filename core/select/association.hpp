// How strongly does a column go with the target? Tests of independence at a node.
//
// The problem: gain grows with the number of ways to split, so that among columns
// that tell nothing the one with the most values wins. The idea (Hothorn, Hornik and
// Zeileis 2006): compare columns by a test of independence, whose p-value knows how
// many values there were. Their statistic c_quad is a quadratic form with the
// pseudo-inverse of a covariance matrix of (values x classes)^2 entries; under
// permutations of the target it has closed forms, N rows being known:
//     categories, classes   (N - 1) / N X^2, Pearson's X^2 of the table      (I - 1)(K - 1) degrees of freedom
//     numbers, classes      (N - 1) SSB / SST, the numbers grouped by class   K - 1
//     categories, numbers   (N - 1) SSB / SST, the target grouped by value    I - 1
//     numbers, numbers      (N - 1) r^2, r their correlation                  1
// with I values and K classes present. O(rows) instead of cubic time. Rows without
// a value take no part. N is the weight of the rows, in units in which all rows of
// the table weigh as much as they are many where they weigh less (Growth::unit).
//
// Tables are Groups in the order of values, so that every sum has one value
// whatever the order of the rows. Numbers are scaled to [-1, 1] and centred before
// they are squared.
//
// Where rows per value are few the chi-square distribution is too far from the
// truth. Monte Carlo then counts how many random permutations of the target have at
// least the statistic of the node: p = (1 + so many) / (1 + permutations). Columns are
// compared by the middle p-value, which counts equal statistics half (the node's own
// too): a column of few values has few statistics, and p alone would put it at a
// disadvantage. Rows of weight w are w rows there, so that weights must be whole. The permutations are
// keyed by the seed, the node's path and the column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/categorical/groups.hpp"

namespace boxwood {

// What permutations say.
struct Simulated {
    double p = 1, middle = 1;
};

struct Association {
    double log_p = 0;       // of the chi-square distribution
    Simulated simulated;    // if there were permutations
    bool constant = false;  // the column has one value, here and below
    // The weight of the second most frequent value.
    double second = std::numeric_limits<double>::infinity();
};

// Scratch room for the sums of one column.
struct AssociationSpace {
    std::vector<double> known;          // class counts of the rows with a value
    std::vector<double> x;              // the number of each group, where the column has numbers
    std::vector<double> sums;           // by class
    std::vector<double> counts;         // by class
    std::vector<std::uint16_t> labels;  // of the units that are permuted
    std::vector<double> numbers;        // the same, where the target is a number
};

// Puts numbers between -1 and 1 with a weighted mean of 0.
void standardise(std::span<double> x, std::span<const double> weight);

// --- classes; `known` counts those of all rows in the groups, `weight` is their sum ---------------

double pearson(const Groups& groups, std::span<const double> known, double weight);
// SSB / SST of standardised numbers, one for each group.
double between_share(const Groups& groups, std::span<const double> x, std::span<const double> known,
                     std::vector<double>& sums);
// The largest X^2 among the cuts of ordered groups with at least this weight on either side; -1: there is none.
double best_cut(const Groups& groups, std::span<const double> known, double weight, double least,
                std::vector<double>& left);
double second_weight(const Groups& groups);

// Permutations against this statistic (pearson, or between_share where there is an x).
Simulated simulate(const Groups& groups, AssociationSpace& space, double statistic, std::uint32_t permutations,
                   std::uint64_t key);

// --- numbers -------------------------------------------------------------------------------------

// The same for a target of numbers: the units' numbers, ascending, and how many units each group has. `x` empty: the
// statistic is SSB / SST by group; else r^2 with the standardised x of each group.
Simulated simulate_numbers(std::span<const double> unit_numbers, std::span<const double> group_units,
                           std::span<const double> x, double statistic, std::uint32_t permutations, std::uint64_t key,
                           std::vector<double>& room);

}  // namespace boxwood
