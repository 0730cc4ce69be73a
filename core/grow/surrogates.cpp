#include "grow/surrogates.hpp"

namespace boxwood {

StandIns::StandIns(const Split& split, std::span<const Column> columns)
    : columns_(columns), otherwise_(split.missing_branch) {
    std::vector<std::int32_t> n_categories, feature, code, branch;
    std::vector<double> threshold;
    std::vector<std::int8_t> flipped;
    std::vector<std::int64_t> category_offset{0};
    for (const Column& column : columns) n_categories.push_back(column.categorical ? column.n_categories : 0);
    for (const Surrogate& one : split.surrogates) {
        feature.push_back(one.feature);
        threshold.push_back(one.threshold);
        flipped.push_back(one.flipped ? 1 : 0);
        code.insert(code.end(), one.category_code.begin(), one.category_code.end());
        branch.insert(branch.end(), one.category_branch.begin(), one.category_branch.end());
        category_offset.push_back(static_cast<std::int64_t>(code.size()));
    }
    const std::vector<std::int64_t> offset{0, static_cast<std::int64_t>(feature.size())};
    const auto kind = static_cast<std::int8_t>(split.kind);
    const auto tested = static_cast<std::int32_t>(split.feature);
    surrogates_ = Surrogates({offset, feature, threshold, flipped, category_offset, code, branch}, {&kind, 1},
                             {&tested, 1}, n_categories);
}

}  // namespace boxwood
