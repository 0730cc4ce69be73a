#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/pages.hpp"
#include "data/ranks.hpp"
#include "grow/run.hpp"
#include "grow/searcher.hpp"

namespace boxwood {
namespace {

template <class Index, bool kUnit>
GrownTree grow_on(const Problem& problem, const Options& options, Monitor& monitor) {
    Team team(std::max<std::size_t>(1, options.n_threads));
    const CountTables tables(kUnit ? problem.n_rows : 0, options.measure, team);
    const double total = kUnit ? static_cast<double>(problem.n_rows)
                               : std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
    const Growth growth{
        options, problem.columns, problem.n_classes, total, tables, monitor, unit_of(total, problem.n_rows)};
    monitor.begin(static_cast<std::int64_t>(problem.n_rows));
    Sample<Index> sample(rank_columns<Index>(problem.columns, problem.n_rows, team, monitor), problem.weights, team);
    sample.set_labels(problem.target, problem.n_classes, team);
    return run<ClassSearcher<Index, kUnit>>(growth, std::move(sample), team);
}

}  // namespace

void check_monotonic(std::span<const Column> columns, const Options& options) {
    if (options.monotonic.empty()) return;
    if (options.monotonic.size() != columns.size()) {
        throw std::invalid_argument("there must be one monotonic constraint per column");
    }
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical && options.monotonic[j] != 0) {
            throw std::invalid_argument("a monotonic constraint on a categorical column");
        }
    }
}

void check(const Problem& problem, const Options& options) {
    if (problem.n_rows == 0) throw std::invalid_argument("no rows");
    if (problem.n_rows >= kNoRank<std::uint32_t>) throw std::invalid_argument("more than 4,294,967,294 rows");
    if (problem.columns.empty()) throw std::invalid_argument("no columns");
    if (problem.n_classes == 0 || problem.n_classes > 65'535) {
        throw std::invalid_argument("the number of classes must be between 1 and 65,535");
    }
    if (problem.target.size() != problem.n_rows) throw std::invalid_argument("target and columns differ in length");
    const auto n_classes = static_cast<std::uint32_t>(problem.n_classes);
    bool beyond = false;
    for (const std::int32_t label : problem.target) beyond |= static_cast<std::uint32_t>(label) >= n_classes;
    if (beyond) throw std::invalid_argument("a class is out of range");
    if (!problem.weights.empty() && problem.weights.size() != problem.n_rows) {
        throw std::invalid_argument("weights and columns differ in length");
    }
    for (const double weight : problem.weights) {
        if (!(weight > 0) || std::isinf(weight)) throw std::invalid_argument("weights must be positive and finite");
    }
    check_monotonic(problem.columns, options);
    if (!options.monotonic.empty() && problem.n_classes != 2) {
        throw std::invalid_argument("monotonic constraints need two classes");
    }
    if (options.missing == MissingMode::kSurrogate &&
        (!options.monotonic.empty() || options.measure.kind == Criterion::kGiven)) {
        throw std::invalid_argument("surrogates need a criterion of the core, and no monotonic constraints");
    }
    for (const Column& column : problem.columns) {
        if (!column.categorical) continue;
        for (std::size_t row = 0; row < problem.n_rows; ++row) {
            if (column.code(row) >= column.n_categories) throw std::invalid_argument("a category is out of range");
        }
    }
}

GrownTree grow(const Problem& problem, const Options& options, Monitor& monitor) {
    const KeptPages kept;
    check(problem, options);
    const bool unit = std::all_of(problem.weights.begin(), problem.weights.end(), [](double w) { return w == 1.0; });
    const bool small = problem.n_rows <= kSmallSample && options.small_samples;
    Problem plain = problem;
    if (unit) {
        plain.weights = {};
        return small ? grow_on<std::uint16_t, true>(plain, options, monitor)
                     : grow_on<std::uint32_t, true>(plain, options, monitor);
    }
    return small ? grow_on<std::uint16_t, false>(problem, options, monitor)
                 : grow_on<std::uint32_t, false>(problem, options, monitor);
}

}  // namespace boxwood
