// How strongly a column goes with the classes at a node: from rows to the tests of select/association.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "data/column.hpp"
#include "grow/loader.hpp"
#include "grow/place.hpp"
#include "grow/random.hpp"
#include "grow/sample.hpp"
#include "select/association.hpp"
#include "select/chi_square.hpp"
#include "select/screening.hpp"

namespace boxwood {

// The key of a column's permutations at a node.
inline std::uint64_t permutation_key(std::uint64_t node_key, std::size_t feature) {
    return mix(node_key ^ mix(0x5045524Du + static_cast<std::uint64_t>(feature)));
}

template <class Index, bool kUnit>
Association associate_classes(const Loader<Index, kUnit>& load, const Sample<Index>& sample, const Growth& growth,
                              const NodeFacts<kUnit>& facts, std::size_t feature, Scratch<kUnit>& space) {
    const RankedColumn& column = (*sample.columns)[feature];
    const Screening& screening = growth.options.screening;
    const Groups& groups = space.groups;
    AssociationSpace& room = space.association;
    Association out;
    const std::int64_t missing_rows = load.load_groups(facts, feature, space);
    out.constant = groups.size() == 0 || (groups.size() == 1 && missing_rows == 0);
    if (out.constant) return out;
    room.known.assign(facts.total.begin(), facts.total.end());
    double weight = facts.weight;
    if (missing_rows > 0) {
        for (std::size_t k = 0; k < room.known.size(); ++k) room.known[k] -= space.missing[k];
        weight -= Loader<Index, kUnit>::missing_weight(space);
    }
    const auto n_values = static_cast<double>(groups.size());
    double n_classes = 0;
    for (const double count : room.known) n_classes += count > 0;
    const double size = growth.unit * weight;
    const bool filter = screening.kind == Select::kChi2Filter;
    if (filter && column.categorical) out.second = growth.unit * second_weight(groups);
    if (n_values < 2 || n_classes < 2 || !(size > 1)) {
        if (filter && !column.categorical) out.second = 0;
        return out;
    }
    room.x.clear();
    double statistic = 0;  // without the size of the sample
    if (column.categorical) {
        statistic = pearson(groups, room.known, weight);
        const double chi_square = growth.unit * statistic * (filter ? 1.0 : (size - 1) / size);
        out.log_p = log_chi_square_tail(chi_square, (n_values - 1) * (n_classes - 1));
    } else if (filter) {
        statistic = best_cut(groups, room.known, weight, screening.min_second / growth.unit, room.counts);
        if (statistic < 0) out.second = 0;
        out.log_p = log_chi_square_tail(growth.unit * statistic, n_classes - 1);
    } else {
        for (const std::int32_t code : groups.code) {
            room.x.push_back(column.coded ? column.values[static_cast<std::size_t>(code)]
                                          : growth.columns[feature].number(sample.origin_of(
                                                load.items_of(facts, column)[static_cast<std::uint32_t>(code)].row)));
        }
        standardise(room.x, groups.weight);
        statistic = between_share(groups, room.x, room.known, room.sums);
        out.log_p = log_chi_square_tail((size - 1) * statistic, n_classes - 1);
    }
    if (screening.permutations > 0) {
        out.simulated = simulate(groups, room, statistic, screening.permutations, permutation_key(facts.key, feature));
    }
    return out;
}

}  // namespace boxwood
