// Is a split worth taking? Two tests of the chosen split's class counts, beyond how much it gains.
//
// Significance. Branches and classes of the chosen split make a contingency
// table. Pearson's statistic X^2 = sum (observed - expected)^2 / expected has, if
// branch and class are independent, about a chi-square distribution of
// (branches - 1)(classes - 1) degrees of freedom, over the classes that are there
// (Quinlan 1986, section 4, stops in this way). The split is taken if so large a
// statistic would come about by chance with a probability of at most
// `min_significance`. The best split was chosen among many, so that the true
// probability is larger: the threshold is a knob and no proof.
//
// Description length. The split is taken if telling the classes of the node's
// rows is shorter with it (Quinlan and Rivest 1989; the coding is ours):
//     leaf     1 bit  +  n H(classes)  +  (K - 1)/2 log2(n)   with n the weight, H the entropy in bits and K the
//              number of classes there are in all: the shares of K classes are told to the precision that n rows give
//     split    1 bit  +  log2(columns)  +  log2(choices)  +  the leaves of its branches
// where choices is the number of cuts between the values present (numeric), of bipartitions of the categories
// present, or of categories (one against the others); 1 for one branch each.
//
// Weights count as rows; where all of them together weigh less than the number
// of rows (AdaBoost's sum to 1), they are first scaled to a mean of 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace boxwood {

// Class counts by branch and class, and their weights.
struct BranchTable {
    std::span<const double> counts;
    std::span<const double> weight;
    double scale = 1;  // of weights to rows
};

// In how many ways so many categories make two branches.
inline double bipartitions(std::size_t n_categories) {
    return std::max(1.0, std::exp2(static_cast<double>(std::min<std::size_t>(n_categories, 1000)) - 1) - 1);
}

// The p-value of independence of branch and class.
double significance(const BranchTable& table);

// By how many bits a split shortens the description.
double bits_saved(const BranchTable& table, std::size_t n_columns, double n_choices);

// What is asked of a split.
struct Stopping {
    double min_significance = 1;  // the largest p-value; 1: any
    bool by_description = false;

    bool allows(const BranchTable& table, std::size_t n_columns, double n_choices) const {
        if (min_significance < 1 && !(significance(table) <= min_significance)) return false;
        return !by_description || bits_saved(table, n_columns, n_choices) > 0;
    }
};

}  // namespace boxwood
