#include <nanobind/stl/optional.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "bindings/arrays.hpp"
#include "discretize/chimerge.hpp"
#include "discretize/ranking.hpp"

namespace boxwood::bindings {

using namespace nb::literals;
using namespace discretize;

namespace {

nb::dict arrays_of(Ranking&& ranking) {
    nb::dict out;
    out["feature"] = give(std::move(ranking.feature));
    out["threshold"] = give(std::move(ranking.threshold));
    out["gain"] = give(std::move(ranking.gain));
    out["n_cuts"] = ranking.n_cuts;
    out["stopped"] = ranking.stopped;
    return out;
}

// What ends a call before its time, apart from an error: the clock, or Ctrl-C where that is to end the call only.
struct Patience {
    double time_limit = -1;  // seconds; below 0: none
    bool keep_on_interrupt = false;
};

// Runs `work` on a checked table without the GIL, which is taken again now and then to look for Ctrl-C.
template <class Work>
nb::dict on_table(const std::vector<AnyColumn>& columns, const Array<std::int32_t>& target, std::size_t n_classes,
                  const std::optional<Array<double>>& weights, const Patience& patience, const Work& work) {
    const Columns table = columns_of(columns, nullptr);
    for (const Column& column : table.columns) {
        if (column.categorical) throw std::invalid_argument("a column is not float64");
    }
    if (!columns.empty() && table.n_rows != target.size()) throw std::invalid_argument("target has a wrong length");
    if (weights && weights->size() != target.size()) throw std::invalid_argument("weights has a wrong length");
    for (const std::int32_t label : span(target)) {
        if (label < 0 || static_cast<std::size_t>(label) >= n_classes) {
            throw std::invalid_argument("target holds " + std::to_string(label) + ", which is no class");
        }
    }
    Labels labels{span(target), n_classes, {}};
    if (weights) labels.weights = span(*weights);
    const auto start = std::chrono::steady_clock::now();
    bool interrupted = false;
    const Monitor::Pause pause(patience.time_limit >= 0 ? 10 : 50);
    const auto poll = [&](double) {
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) {
            if (!patience.keep_on_interrupt || !PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
                throw nb::python_error();
            PyErr_Clear();
            interrupted = true;
            return true;
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return patience.time_limit >= 0 && seconds >= patience.time_limit;
    };
    Monitor monitor(poll, pause);
    Ranking ranking;
    {
        nb::gil_scoped_release release;
        ranking = work(std::span<const Column>(table.columns), labels, monitor);
    }
    nb::dict out = arrays_of(std::move(ranking));
    out["keyboard_interrupt"] = interrupted;
    return out;
}

}  // namespace

void define_discretizing(nb::module_& module) {
    module.def(
        "rank_thresholds",
        [](const std::vector<AnyColumn>& columns, Array<std::int32_t> target, std::size_t n_classes,
           std::optional<Array<double>> weights, const std::string& criterion, int scale, const std::string& refusal,
           bool others, std::int64_t limit, std::size_t n_threads, double time_limit, bool keep_on_interrupt) {
            RankingOptions options;
            if (criterion != "gini" && criterion != "entropy") {
                throw std::invalid_argument("unknown criterion: " + criterion);
            }
            if (refusal != "ignored" && refusal != "list" && refusal != "interval") {
                throw std::invalid_argument("unknown refusal: " + refusal);
            }
            if (scale < -8 || scale > 8) throw std::invalid_argument("scale must lie between -8 and 8");
            options.criterion = criterion == "gini" ? Criterion::kGini : Criterion::kEntropy;
            options.scale = scale;
            options.refusal = refusal == "ignored" ? Refusal::kIgnored
                              : refusal == "list"  ? Refusal::kList
                                                   : Refusal::kInterval;
            options.others = others;
            if (limit >= 0) options.limit = static_cast<std::size_t>(limit);
            options.n_threads = std::max<std::size_t>(1, n_threads);
            options.hasty = time_limit >= 0;
            return on_table(columns, target, n_classes, weights, {time_limit, keep_on_interrupt},
                            [&](auto table, const Labels& labels, Monitor& monitor) {
                                return rank_thresholds(table, labels, options, monitor);
                            });
        },
        "columns"_a, "target"_a, "n_classes"_a, "weights"_a.none(), nb::kw_only(), "criterion"_a = "entropy",
        "scale"_a = 0, "refusal"_a = "ignored", "others"_a = false, "limit"_a = -1, "n_threads"_a = 1,
        "time_limit"_a = -1.0, "keep_on_interrupt"_a = false,
        "Thresholds of float64 columns, best first: feature, threshold and gain, and the number of all value changes\n"
        "(n_cuts). A limit of -1 stands for none. When the time is over, and on Ctrl-C if that is asked for, what\n"
        "was ranked so far is handed back, and stopped is true.");

    module.def(
        "missing_columns",
        [](const std::vector<AnyColumn>& columns) {
            const Columns table = columns_of(columns, nullptr);
            return missing_columns(table.columns, table.n_rows);
        },
        "columns"_a, "For each column, whether a cell is missing: NaN, or a code below 0.");

    module.def(
        "merge_alike",
        [](const std::vector<AnyColumn>& columns, Array<std::int32_t> target, std::size_t n_classes,
           std::optional<Array<double>> weights, double least, std::int64_t most_intervals) {
            ChiMergeOptions options;
            options.least = least;
            if (most_intervals >= 0) options.most_intervals = static_cast<std::size_t>(most_intervals);
            return on_table(columns, target, n_classes, weights, {},
                            [&](auto table, const Labels& labels, Monitor& monitor) {
                                return merge_alike(table, labels, options, monitor);
                            });
        },
        "columns"_a, "target"_a, "n_classes"_a, "weights"_a.none(), nb::kw_only(), "least"_a, "most_intervals"_a = -1,
        "The cuts that ChiMerge leaves, by falling statistic: feature, threshold and gain (the statistic), and the\n"
        "number of all value changes (n_cuts). -1 intervals stand for any number.");
}

}  // namespace boxwood::bindings
