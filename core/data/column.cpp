#include "data/column.hpp"

#include <algorithm>
#include <limits>

namespace boxwood {
namespace {

bool any_infinite(const Column& column, std::size_t begin, std::size_t end) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    bool found = false;
    for (std::size_t row = begin; row < end; ++row) found |= std::fabs(column.number(row)) > kLargest;
    return found;
}

}  // namespace

Cell find_infinite(std::span<const Column> columns, std::size_t n_rows) {
    constexpr std::size_t kBlock = 512;
    std::size_t infected = columns.size();  // the lowest column seen to hold an infinity
    for (std::size_t begin = 0; begin < n_rows && infected > 0; begin += kBlock) {
        const std::size_t end = std::min(begin + kBlock, n_rows);
        for (std::size_t j = 0; j < infected; ++j) {
            if (!columns[j].categorical && any_infinite(columns[j], begin, end)) infected = j;
        }
    }
    if (infected == columns.size()) return {-1, -1};
    std::size_t row = 0;
    while (!std::isinf(columns[infected].number(row))) ++row;
    return {static_cast<std::int64_t>(infected), static_cast<std::int64_t>(row)};
}

}  // namespace boxwood
