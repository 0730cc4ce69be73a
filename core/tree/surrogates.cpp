#include "tree/surrogates.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace boxwood {
namespace {

[[noreturn]] void refuse(std::size_t surrogate, const std::string& what) {
    throw std::invalid_argument("surrogate " + std::to_string(surrogate) + ": " + what);
}

// Whether these offsets divide `size` things among `parts`.
bool divides(std::span<const std::int64_t> offset, std::size_t parts, std::size_t size) {
    return offset.size() == parts + 1 && offset.front() == 0 && offset.back() == static_cast<std::int64_t>(size) &&
           std::is_sorted(offset.begin(), offset.end());
}

}  // namespace

Surrogates::Surrogates(const SurrogateView& view, std::span<const std::int8_t> kind,
                       std::span<const std::int32_t> feature, std::span<const std::int32_t> n_categories) {
    if (view.offset.empty() && view.feature.empty()) return;
    const std::size_t n = view.feature.size();
    if (view.threshold.size() != n || view.flipped.size() != n || !divides(view.offset, kind.size(), n) ||
        view.category_code.size() != view.category_branch.size() ||
        !divides(view.category_offset, n, view.category_code.size())) {
        throw std::invalid_argument("the arrays of surrogates differ in length");
    }
    if (n == 0) return;
    offset_.assign(view.offset.begin(), view.offset.end());
    for (std::size_t node = 0; node < kind.size(); ++node) {
        const auto what = static_cast<Kind>(kind[node]);
        if (of(node).empty() || what == Kind::kThreshold || what == Kind::kSubset) continue;
        throw std::invalid_argument("node " + std::to_string(node) + ": only a split in two has surrogates");
    }
    codes_.assign(view.category_code.begin(), view.category_code.end());
    branches_.assign(view.category_branch.begin(), view.category_branch.end());
    all_.reserve(n);
    std::size_t node = 0;
    for (std::size_t i = 0; i < n; ++i) {
        while (offset_[node + 1] <= static_cast<std::int64_t>(i)) ++node;
        const std::int64_t column = view.feature[i];
        if (column < 0 || column >= static_cast<std::int64_t>(n_categories.size())) {
            refuse(i, "its feature is out of range");
        }
        if (column == feature[node]) refuse(i, "it asks for the column of its own node");
        const std::int32_t categories = n_categories[static_cast<std::size_t>(column)];
        const std::int64_t begin = view.category_offset[i], end = view.category_offset[i + 1];
        const bool listed = begin != end;
        if (view.flipped[i] < 0 || view.flipped[i] > (listed ? 0 : 1)) refuse(i, "it cannot be flipped like this");
        if (listed != (categories != 0) || listed != std::isnan(view.threshold[i])) {
            refuse(i, "it needs a threshold for a column of numbers, and categories for one of categories");
        }
        for (std::int64_t k = begin; k < end; ++k) {
            const auto at = static_cast<std::size_t>(k);
            if (codes_[at] < 0 || codes_[at] >= categories) refuse(i, "a category is out of range");
            if (k > begin && codes_[at - 1] >= codes_[at]) refuse(i, "categories are not in order");
            if (branches_[at] < 0 || branches_[at] > 1) refuse(i, "a category's branch is out of range");
        }
        all_.push_back({view.threshold[i], view.feature[i], view.flipped[i], begin, end});
    }
}

Surrogates::Range Surrogates::of(std::size_t node) const {
    return offset_.empty() ? Range{} : Range{offset_[node], offset_[node + 1]};
}

std::int32_t Surrogates::branch(Range range, std::span<const Column> columns, std::size_t row) const {
    for (std::int64_t i = range.begin; i < range.end; ++i) {
        const One& one = all_[static_cast<std::size_t>(i)];
        const Column& column = columns[static_cast<std::size_t>(one.feature)];
        if (!column.categorical) {
            const double x = column.number(row);
            if (!std::isnan(x)) return x <= one.threshold ? one.flipped : 1 - one.flipped;
            continue;
        }
        const std::int32_t code = column.code(row);
        const auto begin = codes_.begin() + one.begin, end = codes_.begin() + one.end;
        const auto found = std::lower_bound(begin, end, code);
        if (found != end && *found == code) return branches_[static_cast<std::size_t>(found - codes_.begin())];
    }
    return kStop;
}

}  // namespace boxwood
