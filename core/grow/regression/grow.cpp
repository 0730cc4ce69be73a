#include "grow/regression/grow.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "criteria/regression.hpp"
#include "data/pages.hpp"
#include "data/ranks.hpp"
#include "grow/grow.hpp"
#include "grow/regression/searcher.hpp"
#include "grow/run.hpp"

namespace boxwood {
namespace {

template <class Index, bool kUnit>
GrownTree grow_on(const RegressionProblem& problem, const Options& options, Monitor& monitor) {
    Team team(std::max<std::size_t>(1, options.n_threads));
    const CountTables tables;
    const double total = kUnit ? static_cast<double>(problem.n_rows)
                               : std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
    const Growth growth{options, problem.columns, 0, total, tables, monitor, unit_of(total, problem.n_rows)};
    monitor.begin(static_cast<std::int64_t>(problem.n_rows));
    Sample<Index> sample(rank_columns<Index>(problem.columns, problem.n_rows, team, monitor), problem.weights, team);
    const bool tag = options.measure.kind == Criterion::kSquaredError && kUnit && options.small_samples &&
                     options.monotonic.empty() && !options.random_cuts;
    sample.set_response(problem.target, tag, team);
    return run<RegressionSearcher<Index, kUnit>>(growth, std::move(sample), team);
}

}  // namespace

void check(const RegressionProblem& problem, const Options& options) {
    if (problem.n_rows == 0) throw std::invalid_argument("no rows");
    if (problem.n_rows >= kNoRank<std::uint32_t>) throw std::invalid_argument("more than 4,294,967,294 rows");
    if (problem.columns.empty()) throw std::invalid_argument("no columns");
    if (problem.target.size() != problem.n_rows) throw std::invalid_argument("target and columns differ in length");
    const Criterion criterion = options.measure.kind;
    if (criterion != Criterion::kSquaredError && criterion != Criterion::kAbsoluteError &&
        criterion != Criterion::kPoisson) {
        throw std::invalid_argument("the criterion is not one of regression");
    }
    bool positive = false;
    for (const double y : problem.target) {
        if (!(std::fabs(y) <= 1e140)) {  // sums of squares must stay finite
            throw std::invalid_argument("a response is not finite, or beyond 1e140");
        }
        if (y < 0 && criterion == Criterion::kPoisson) throw std::invalid_argument("a response is negative");
        positive |= y > 0;
    }
    if (!positive && criterion == Criterion::kPoisson) throw std::invalid_argument("no response is positive");
    if (!problem.weights.empty() && problem.weights.size() != problem.n_rows) {
        throw std::invalid_argument("weights and columns differ in length");
    }
    for (const double weight : problem.weights) {
        if (!(weight > 0) || std::isinf(weight)) throw std::invalid_argument("weights must be positive and finite");
    }
    for (const Column& column : problem.columns) {
        if (!column.categorical) continue;
        for (std::size_t row = 0; row < problem.n_rows; ++row) {
            if (column.code(row) >= column.n_categories) throw std::invalid_argument("a category is out of range");
        }
    }
    check_monotonic(problem.columns, options);
    if (options.missing == MissingMode::kSurrogate) throw std::invalid_argument("surrogates need classes");
}

GrownTree grow_regression(const RegressionProblem& problem, const Options& options, Monitor& monitor) {
    const KeptPages kept;
    check(problem, options);
    const bool unit = std::all_of(problem.weights.begin(), problem.weights.end(), [](double w) { return w == 1.0; });
    const bool small = problem.n_rows <= kSmallSample && options.small_samples;
    RegressionProblem plain = problem;
    if (unit) plain.weights = {};
    return small ? (unit ? grow_on<std::uint16_t, true>(plain, options, monitor)
                         : grow_on<std::uint16_t, false>(plain, options, monitor))
                 : (unit ? grow_on<std::uint32_t, true>(plain, options, monitor)
                         : grow_on<std::uint32_t, false>(plain, options, monitor));
}

}  // namespace boxwood
