// Which column splits a node, from what all of them offer.
//
// Gain ratio: columns compete by the ratio of their gain to the information of
// the split itself, in which the rows without a value count as one more branch
// (Quinlan 1993, section 3.1), if their gain is at least the average. All other
// criteria: by their merit.
//
// By our own comparison, merits within 1e-12 of the node's impurity tie, and the
// lowest column wins. Weka's (weka_comparison): columns are met in order, and a
// column wins if it is better by more than 1e-6 than the best before it, and than
// nothing; a gain is at least average from 1e-3 below it; a categorical column
// whose categories are at least 0.3 times as many as the rows of the table does
// not count in the average, unless all columns are such.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grow/options.hpp"
#include "grow/spread/offers.hpp"

namespace boxwood::spread {

struct Chosen {
    std::size_t place = 0;       // among the offers
    const Near* near = nullptr;  // null: no column is good enough
    double score = 0;
};

// `features`: the columns of the offers, ascending.
Chosen choose(const Options& options, const Facts& facts, const Table& table, std::span<const Offer> offers,
              std::span<const std::size_t> features);

}  // namespace boxwood::spread
