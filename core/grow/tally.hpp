// How many rows each class has.
//
// Two counts are kept side by side and taken in turns: where neighbours have the
// same class, adding to one count would wait for the addition before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxwood {

// Adds the classes label(0), ..., label(n - 1) to `counts`. `room` is scratch.
template <class Label>
void tally(std::size_t n, Label label, std::span<double> counts, std::vector<std::uint32_t>& room) {
    const std::size_t n_classes = counts.size();
    room.assign(2 * n_classes, 0);
    std::uint32_t *even = room.data(), *odd = even + n_classes;
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        ++even[label(i)];
        ++odd[label(i + 1)];
    }
    if (i < n) ++even[label(i)];
    for (std::size_t k = 0; k < n_classes; ++k) counts[k] += static_cast<double>(even[k]) + static_cast<double>(odd[k]);
}

}  // namespace boxwood
