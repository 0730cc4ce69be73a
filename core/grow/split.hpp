// A split chosen by the judges, with all that its children need.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tree/node.hpp"

namespace boxwood {

// A number per branch. Nearly every split has two or three, which need no memory of their own.
template <class T>
class PerBranch {
  public:
    PerBranch() = default;
    PerBranch& operator=(const std::array<T, 3>& few) {
        few_ = few;
        many_.clear();
        return *this;
    }
    void resize(std::size_t n) {
        few_ = {};
        many_.assign(n > few_.size() ? n : 0, T{});
    }
    T* data() { return many_.empty() ? few_.data() : many_.data(); }
    const T* data() const { return many_.empty() ? few_.data() : many_.data(); }
    T& operator[](std::size_t branch) { return data()[branch]; }
    const T& operator[](std::size_t branch) const { return data()[branch]; }

  private:
    std::array<T, 3> few_{};
    std::vector<T> many_;
};

struct Split {
    static constexpr std::size_t kFew = 3;  // branches that rows are divided into by a walk for each
    Kind kind = Kind::kLeaf;
    std::size_t feature = 0;
    double merit = 0;  // what candidates compete by: the gain, or a split score
    double gain = 0;   // the decrease of impurity
    double score = 0;  // what the tree keeps: the merit, or a ratio
    double threshold = std::numeric_limits<double>::quiet_NaN();
    double p_value = std::numeric_limits<double>::quiet_NaN();  // of the test that chose the feature
    std::int32_t missing_branch = 0;
    std::size_t n_branches = 2;
    std::size_t cut = 0;       // sorted numeric: known rows on the left; coded numeric: the last code on the left
    std::vector<double> sums;  // by branch: class counts; or sums and the answer
    PerBranch<std::int64_t> rows;
    PerBranch<double> weight;
    std::vector<std::int32_t> category_code;
    std::vector<std::int32_t> category_branch;

    std::span<const double> sums_of(std::size_t branch) const {
        const std::size_t n = sums.size() / n_branches;
        return {sums.data() + branch * n, n};
    }
    void make_branches(std::size_t n) {
        n_branches = n;
        rows.resize(n);
        weight.resize(n);
    }
    // The first of the heaviest branches.
    std::int32_t heaviest() const {
        return static_cast<std::int32_t>(std::max_element(weight.data(), weight.data() + n_branches) - weight.data());
    }
};

}  // namespace boxwood
