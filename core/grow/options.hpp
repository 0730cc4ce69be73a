// What the caller asks of a growth.
#pragma once

#include <cstdint>
#include <limits>

#include "criteria/criterion.hpp"

namespace boxwood {

enum class MissingMode : std::uint8_t { kLearn, kBranch };
enum class UnknownRule : std::uint8_t { kMissing, kMajority, kStop, kError };

struct Options {
    Criterion criterion = Criterion::kGini;
    MissingMode missing = MissingMode::kLearn;
    UnknownRule unknown = UnknownRule::kMissing;
    std::int64_t max_depth = std::numeric_limits<std::int64_t>::max();
    std::int64_t min_samples_split = 2;
    std::int64_t min_samples_leaf = 1;
    double min_weight_leaf = 0;
    double min_impurity_decrease = 0;
    std::size_t max_features = std::numeric_limits<std::size_t>::max();
    std::int64_t max_leaf_nodes = -1;  // -1: no limit, depth-first
    std::uint64_t seed = 0;
    std::size_t n_threads = 1;
    // Means to the same tree, which the tests switch off one by one.
    bool histograms = true;
    bool small_samples = true;
};

}  // namespace boxwood
