// What the caller asks of a growth.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "criteria/criterion.hpp"

namespace boxwood {

enum class MissingMode : std::uint8_t { kLearn, kBranch, kSurrogate };
enum class UnknownRule : std::uint8_t { kMissing, kMajority, kStop, kError, kDistribute };

struct Options {
    Measure measure;
    MissingMode missing = MissingMode::kLearn;
    UnknownRule unknown = UnknownRule::kMissing;
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
    bool all_cuts = false;       // look at every cut of a numeric feature, whatever the rule says
    bool random_cuts = false;    // one cut per numeric feature, and one grouping of categories, drawn at random
    std::vector<int> monotonic;  // by feature: the value rises (1), falls (-1) or moves freely (0); empty: freely
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
