// Growth level by level, for criteria that are not compiled in.
//
// gather() collects all candidates of all features of all open nodes; the caller
// gets what the criterion needs of them as one array for the whole level, and
// hands one number per candidate (or per branch) back; then every node is split
// at its best candidate, and the next level is open. Under a limit of leaves
// growth is best-first, and a "level" is the batch of nodes opened by the last
// split. A level of very many candidates is handed out in several batches.
//
//     while (levels.open() > 0) { levels.gather(form); levels.take(score(levels.numbers())); }
//
// Candidates stand in order: by node, then by feature, then by threshold, so
// that a tie within the tolerance goes to the first. NaN scores a candidate out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/buffer.hpp"
#include "grow/grow.hpp"

namespace boxwood {

// What the caller is told of a branch: its class counts; its class shares; the share of its smaller class.
enum class BranchForm : std::uint8_t { kCounts, kShares, kMinority };

struct Gathered {
    std::size_t n_candidates = 0, n_nodes = 0;
    std::size_t n_branches = 2;      // 3 where missing rows may have their own; candidates with fewer have empty ones
    std::size_t width = 1;           // numbers per branch
    Buffer<double> numbers;          // by candidate and branch, then of the nodes themselves
    std::vector<std::int32_t> node;  // by candidate (kCounts only): which of the open nodes, and which feature
    std::vector<std::int32_t> feature;
};

class Levels {
  public:
    virtual ~Levels() = default;
    virtual std::size_t open() const = 0;
    virtual Gathered gather(BranchForm form) = 0;
    // One score per candidate, larger is better, by which they compete; one gain per candidate, which
    // min_impurity_decrease and best-first growth go by; and one tolerance per gathered node.
    virtual void take(std::span<const double> scores, std::span<const double> gains,
                      std::span<const double> tolerance) = 0;
    // The impurity of every branch and of every node, in the order of Gathered::numbers; candidates compete by the
    // gain, and gains within `tie` of a node's impurity are equal.
    virtual void take_impurities(std::span<const double> impurities, double tie) = 0;
    virtual GrownTree finish() = 0;
};

// The problem's arrays must outlive the result.
std::unique_ptr<Levels> grow_by_level(const Problem& problem, const Options& options, Monitor::Poll poll);

}  // namespace boxwood
