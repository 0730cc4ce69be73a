#include "grow/spread/table.hpp"

#include "data/ranks.hpp"

namespace boxwood::spread {
namespace {

// Few values: the rows by the code of their value.
NumericColumn by_code(const RankedTable<std::uint32_t>& ranked, const RankedColumn& column) {
    NumericColumn out;
    out.values = column.values;
    std::vector<std::uint32_t> start(column.n_values + 2, 0);
    const auto code = [&](std::size_t row) { return ranked.codes[row * ranked.n_coded + column.slot]; };
    for (std::size_t row = 0; row < ranked.n_rows; ++row) ++start[code(row) + std::size_t{1}];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    out.order.resize(start[column.n_values]);  // rows without a value have the last code
    for (std::size_t row = 0; row < ranked.n_rows; ++row) {
        const std::uint8_t at = code(row);
        if (at < column.n_values) out.order[start[at]++] = {static_cast<std::uint32_t>(row), at};
    }
    return out;
}

NumericColumn by_value(const RankedTable<std::uint32_t>& ranked, const RankedColumn& column, const Column& numbers) {
    NumericColumn out;
    const auto& items = ranked.sorted[column.slot];
    out.order.reserve(items.size());
    for (const auto& item : items) {
        if (item.rank == kNoRank<std::uint32_t>) break;
        if (out.order.empty() || item.rank != items[out.order.size() - 1].rank) {
            out.values.push_back(numbers.number(item.row));
        }
        out.order.push_back({item.row, static_cast<std::uint32_t>(out.values.size() - 1)});
    }
    return out;
}

}  // namespace

Table read_table(std::span<const Column> columns, std::size_t n_rows, Team& team, Monitor& monitor) {
    Table table{columns, n_rows, std::vector<NumericColumn>(columns.size())};
    std::vector<Column> numbers;
    std::vector<std::size_t> place;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical) continue;
        numbers.push_back(columns[j]);
        place.push_back(j);
    }
    if (numbers.empty()) return table;
    const auto ranked = rank_columns<std::uint32_t>(numbers, n_rows, team, monitor);
    team.each(numbers.size(), [&](std::size_t i, std::size_t) {
        const RankedColumn& column = ranked.columns[i];
        table.numeric[place[i]] = column.coded ? by_code(ranked, column) : by_value(ranked, column, numbers[i]);
    });
    return table;
}

}  // namespace boxwood::spread
