// The branch of every row of a node that is split. Rows are handed to the team in stretches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/ranks.hpp"
#include "grow/sample.hpp"
#include "grow/split.hpp"
#include "threads/team.hpp"

namespace boxwood {

template <class Index, class Branch>
void assign_branches(const Sample<Index>& sample, std::size_t begin, std::size_t end, const Split& split,
                     Buffer<Branch>& branch, Team& team) {
    const RankedColumn& column = (*sample.columns)[split.feature];
    const auto missing = static_cast<Branch>(split.missing_branch);
    const bool test = split.kind == Kind::kIsMissing;
    if (column.coded) {
        std::array<Branch, kMostCoded + 1> of_code{};
        if (test) {
            of_code.fill(1);
            of_code[column.n_values] = 0;
        } else {
            if (split.kind == Kind::kThreshold) {
                for (std::size_t code = 0; code < column.n_values; ++code) of_code[code] = code > split.cut;
            } else {
                for (std::size_t i = 0; i < split.category_code.size(); ++i) {
                    of_code[static_cast<std::size_t>(split.category_code[i])] =
                        static_cast<Branch>(split.category_branch[i]);
                }
            }
            of_code[column.n_values] = missing;
        }
        each_stretch(begin, end, team, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const std::size_t row = sample.rows[i];
                branch[row] = of_code[sample.code(row, column.slot)];
            }
        });
        return;
    }
    const auto items = sample.items_of(column, begin, end);
    const std::size_t known = known_of(items, column);
    if (test || split.kind == Kind::kThreshold) {
        const std::size_t cut = test ? 0 : split.cut;
        each_stretch(0, known, team, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) branch[items[i].row] = i >= cut;
        });
    } else {
        std::size_t group = 0;
        for (std::size_t i = 0; i < known; ++i) {
            if (i > 0 && sample.differ(items[i - 1], items[i], column.slot)) ++group;
            branch[items[i].row] = static_cast<Branch>(split.category_branch[group]);
        }
    }
    for (std::size_t i = known; i < items.size(); ++i) branch[items[i].row] = test ? 0 : missing;
}

}  // namespace boxwood
