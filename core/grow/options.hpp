// What the caller asks of a growth.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "criteria/criterion.hpp"
#include "search/categorical/method.hpp"
#include "select/screening.hpp"
#include "select/stopping.hpp"

namespace boxwood {

enum class MissingMode : std::uint8_t { kLearn, kBranch, kFractional, kSurrogate };
enum class UnknownRule : std::uint8_t { kMissing, kMajority, kStop, kError, kDistribute };

struct Options {
    Measure measure;
    MissingMode missing = MissingMode::kLearn;
    UnknownRule unknown = UnknownRule::kMissing;
    CategorySplit categories = CategorySplit::kAuto;
    std::int64_t max_depth = std::numeric_limits<std::int64_t>::max();
    std::int64_t min_samples_split = 2;
    std::int64_t min_samples_leaf = 1;
    double min_weight_leaf = 0;
    double min_impurity_decrease = 0;
    std::size_t max_features = std::numeric_limits<std::size_t>::max();
    std::size_t max_surrogates = 5;
    std::int64_t max_leaf_nodes = -1;  // -1: no limit, depth-first
    std::uint64_t seed = 0;
    std::size_t n_threads = 1;
    Screening screening;         // which features are searched at a node
    bool all_cuts = false;       // look at every cut of a numeric feature, whatever the rule says
    bool random_cuts = false;    // one cut per numeric feature, and one grouping of categories, drawn at random
    Measure search_measure;      // what a search for a grouping of categories goes by where `measure` is given
    std::vector<double> mixing;  // what mixing two classes costs, for squared_gini: classes x classes; empty: 1
    std::vector<int> monotonic;  // by feature: the value rises (1), falls (-1) or moves freely (0); empty: freely
    Stopping stopping;
    // Rules of C4.5 and of Weka's J48, see spread/offers.hpp and spread/choice.hpp; growth with fractional rows only.
    bool mdl_gain = false;            // numeric gains pay for the choice of a cut
    bool two_branches = false;        // the leaf minima bind two branches of a split, not all
    bool quinlan_minimum = false;     // numeric cuts leave a tenth of the mean class size on either side
    double min_value_gap = 0;         // nearer values are not separated
    bool weka_comparison = false;     // tolerances, exceptions and ties as in Weka
    bool training_threshold = false;  // a threshold is a value of the training table
    // Means to the same tree, which the tests switch off one by one.
    bool histograms = true;
    bool small_samples = true;
};

// Is a node of so many rows, or at this depth, a leaf whatever its splits?
inline bool ends_by_size(const Options& options, std::int64_t depth, std::int64_t n_rows, double weight) {
    return depth >= options.max_depth || n_rows < options.min_samples_split || n_rows < 2 * options.min_samples_leaf ||
           weight < 2 * options.min_weight_leaf;
}

}  // namespace boxwood
