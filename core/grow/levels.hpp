// Growth level by level, for criteria that are not compiled in.
//
// gather() writes down the branch counts of all candidates of all features of
// all open nodes, one array for the whole level; the caller scores them as it
// likes and hands the scores back to take(), which splits every node at its best
// candidate and opens the next level. Under a limit of leaves growth is best-
// first, and a "level" is the batch of nodes opened by the last split.
//
//     while (levels.open() > 0) { gathered = levels.gather(); levels.take(score(gathered)); }
//
// Candidates stand in order: by node, then by feature, then by threshold, so
// that a tie within the tolerance goes to the first. NaN scores a candidate out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grow/grow.hpp"

namespace boxwood {

struct Gathered {
    std::size_t n_branches = 2;      // 3 where missing rows may have their own; candidates with fewer have empty ones
    std::vector<double> counts;      // by candidate, branch, class
    std::vector<std::int32_t> node;  // by candidate: which of the open nodes
    std::vector<std::int32_t> feature;
    std::vector<double> totals;  // by open node, class
};

class Levels {
  public:
    virtual ~Levels() = default;
    virtual std::size_t open() const = 0;
    virtual const Gathered& gather() = 0;
    // One score per candidate, larger is better, by which they compete; one gain per candidate, which
    // min_impurity_decrease and best-first growth go by; and one tolerance per open node.
    virtual void take(std::span<const double> scores, std::span<const double> gains,
                      std::span<const double> tolerance) = 0;
    virtual GrownTree finish() = 0;
};

// The problem's arrays and the options must outlive the result.
std::unique_ptr<Levels> grow_by_level(const Problem& problem, const Options& options);

}  // namespace boxwood
