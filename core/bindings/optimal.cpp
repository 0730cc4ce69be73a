#include <nanobind/stl/optional.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>

#include "bindings/arrays.hpp"
#include "optimal/cells.hpp"
#include "optimal/reference.hpp"
#include "optimal/solve.hpp"

namespace boxwood::bindings {

using namespace nb::literals;

namespace {

using Cells = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A problem and its limits, with the arrays kept alive.
struct OptimalProblem {
    Cells cells;
    Array<std::int32_t> target;
    std::optional<Array<std::int64_t>> weights;
    std::optional<Matrix> costs;
    optimal::Problem problem;
    optimal::Limits limits;

    OptimalProblem(Cells table, Array<std::int32_t> classes, std::size_t n_classes,
                   std::optional<Array<std::int64_t>> row_weights, std::optional<Matrix> cost_matrix, int max_depth,
                   std::int64_t max_leaves, std::int64_t min_rows, std::int64_t min_weight, std::int64_t leaf_cost,
                   std::int64_t weight_unit)
        : cells(std::move(table)),
          target(std::move(classes)),
          weights(std::move(row_weights)),
          costs(std::move(cost_matrix)) {
        problem = {cells.data(), cells.shape(0), cells.shape(1), span(target), n_classes, {}, {}};
        if (weights) problem.weights = span(*weights);
        if (costs) {
            if (costs->shape(0) != n_classes || costs->shape(1) != n_classes) {
                throw std::invalid_argument("the cost matrix must have one row and one column per class");
            }
            problem.costs = {costs->data(), costs->size()};
        }
        limits = {max_depth, max_leaves, min_rows, min_weight, leaf_cost, weight_unit};
        optimal::check(problem, limits);
    }
};

using Trees = std::vector<std::vector<std::int32_t>>;  // feature, left, right, answer

optimal::Sketch sketch_of(const Trees& arrays, const OptimalProblem& problem) {
    if (arrays.size() != 4) throw std::invalid_argument("a tree is four lists: feature, left, right, answer");
    const std::size_t n = arrays[0].size();
    for (const auto& array : arrays) {
        if (array.size() != n || n == 0)
            throw std::invalid_argument("the lists of a tree differ in length, or are empty");
    }
    optimal::Sketch tree(n);
    for (std::size_t i = 0; i < n; ++i) {
        tree[i] = {arrays[0][i], arrays[1][i], arrays[2][i], arrays[3][i]};
        const auto after = [&](std::int32_t child) {
            return child > static_cast<std::int32_t>(i) && child < static_cast<std::int32_t>(n);
        };
        const bool split = tree[i].feature >= 0;
        if (split && (static_cast<std::size_t>(tree[i].feature) >= problem.problem.n_features || !after(tree[i].left) ||
                      !after(tree[i].right))) {
            throw std::invalid_argument("node " + std::to_string(i) + " of the tree is not in order");
        }
        if (!split && (tree[i].answer < 0 || static_cast<std::size_t>(tree[i].answer) >= problem.problem.n_classes)) {
            throw std::invalid_argument("leaf " + std::to_string(i) + " of the tree answers with no class");
        }
    }
    return tree;
}

Trees arrays_of(const optimal::Sketch& tree) {
    Trees arrays(4);
    for (const optimal::Node& node : tree) {
        arrays[0].push_back(node.feature);
        arrays[1].push_back(node.left);
        arrays[2].push_back(node.right);
        arrays[3].push_back(node.answer);
    }
    return arrays;
}

// What a run hands on to one with more features; nothing of it is for Python.
struct OptimalKept {
    std::shared_ptr<const optimal::Kept> kept;
};

const char* name_of(optimal::Status status) {
    switch (status) {
        case optimal::Status::kOptimal: return "optimal";
        case optimal::Status::kTimeLimit: return "time_limit";
        case optimal::Status::kMemoryLimit: return "memory_limit";
        case optimal::Status::kGap: return "gap";
        default: return "interrupted";
    }
}

optimal::Machine machine_of(const std::string& name) {
    const std::map<std::string, optimal::Machine> known{{"best", optimal::Machine::kBest},
                                                        {"portable", optimal::Machine::kPortable},
                                                        {"avx2", optimal::Machine::kAvx2},
                                                        {"avx512", optimal::Machine::kAvx512}};
    const auto found = known.find(name);
    if (found == known.end()) throw std::invalid_argument("unknown instruction set: " + name);
    optimal::functions_of(found->second);  // throws if it is not there
    return found->second;
}

nb::dict dict_of(const optimal::Outcome& outcome) {
    nb::dict out;
    out["status"] = name_of(outcome.status);
    out["tree"] = arrays_of(outcome.tree);
    out["objective"] = outcome.objective;
    out["lower_bound"] = outcome.lower;
    out["n_rows"] = outcome.n_rows;
    out["n_features"] = outcome.n_features;
    out["n_nodes"] = outcome.counters.nodes;
    out["n_kernel_calls"] = outcome.counters.kernels;
    out["n_table_hits"] = outcome.counters.hits;
    out["n_skipped"] = outcome.counters.skipped;
    out["n_inherited"] = outcome.counters.inherited;
    out["table_bytes"] = outcome.table_bytes;
    out["kernel_depth"] = outcome.deepest;
    out["seconds"] = outcome.seconds;
    out["search_seconds"] = outcome.search_seconds;
    nb::list trace;
    for (const optimal::Improvement& step : outcome.trace) {
        trace.append(nb::make_tuple(step.seconds, step.objective, step.lower));
    }
    out["trace"] = trace;
    return out;
}

}  // namespace

void define_optimal(nb::module_& module) {
    module.def(
        "threshold_cells",
        [](const std::vector<AnyColumn>& columns, Array<std::int32_t> column, Array<double> threshold,
           Array<std::uint8_t> missing, Array<std::int64_t> place, Table cells) {
            const Columns table = columns_of(columns, nullptr);
            if (column.size() != threshold.size() || column.size() != missing.size() || column.size() != place.size()) {
                throw std::invalid_argument("the lists of the thresholds differ in length");
            }
            if (!columns.empty() && cells.shape(0) != table.n_rows) {
                throw std::invalid_argument("cells and columns differ in length");
            }
            std::vector<optimal::ThresholdTest> tests;
            for (std::size_t i = 0; i < column.size(); ++i) {
                const auto from = static_cast<std::size_t>(column.data()[i]),
                           to = static_cast<std::size_t>(place.data()[i]);
                if (from >= columns.size() || table.columns[from].categorical || to >= cells.shape(1)) {
                    throw std::invalid_argument("threshold " + std::to_string(i) + " is of no column of numbers");
                }
                tests.push_back({from, to, threshold.data()[i], missing.data()[i] != 0});
            }
            nb::gil_scoped_release release;
            optimal::fill_cells(table.columns, tests, table.n_rows, cells.data(), cells.shape(1));
        },
        "columns"_a, "column"_a, "threshold"_a, "missing"_a, "place"_a, "cells"_a,
        "Writes the branches of thresholds (0 where x <= threshold, else 1; missing cells as told) into columns of\n"
        "`cells`, a matrix of uint8 by rows.");

    nb::class_<OptimalProblem>(
        module, "OptimalProblem",
        "Rows with 0/1 cells, classes, whole-number weights and costs, and the limits of a tree.")
        .def(
            nb::init<Cells, Array<std::int32_t>, std::size_t, std::optional<Array<std::int64_t>>, std::optional<Matrix>,
                     int, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>(),
            "cells"_a, "target"_a, "n_classes"_a, "weights"_a.none() = nb::none(), "costs"_a.none() = nb::none(),
            nb::kw_only(), "max_depth"_a = 3, "max_leaves"_a = 0, "min_rows"_a = 1, "min_weight"_a = 0,
            "leaf_cost"_a = 0, "weight_unit"_a = 1)
        .def(
            "evaluate",
            [](const OptimalProblem& self, const Trees& tree) -> std::optional<std::int64_t> {
                const optimal::Cost cost = optimal::evaluate(self.problem, self.limits, sketch_of(tree, self));
                if (cost >= optimal::kInfinite) return std::nullopt;
                return cost;
            },
            "tree"_a, "What a tree (feature, left, right, answer) costs on the rows; None if it breaks a limit.")
        .def(
            "first_difference",
            [](const OptimalProblem& self, const OptimalProblem& before) -> std::optional<std::size_t> {
                if (self.problem.n_rows != before.problem.n_rows ||
                    self.problem.n_features < before.problem.n_features) {
                    throw std::invalid_argument("the problems differ in their rows, or features are gone");
                }
                const std::size_t first = optimal::first_difference(self.problem, before.problem);
                if (first == before.problem.n_features) return std::nullopt;
                return first;
            },
            "before"_a,
            "The first feature of another problem of as many rows that is not the same one here; None if all are.")
        .def(
            "leaves",
            [](const OptimalProblem& self, const Trees& arrays) {
                const optimal::Sketch tree = sketch_of(arrays, self);
                std::vector<std::int32_t> leaves(self.problem.n_rows);
                for (std::size_t row = 0; row < leaves.size(); ++row) {
                    leaves[row] = static_cast<std::int32_t>(optimal::leaf_of(self.problem, tree, row));
                }
                return give(std::move(leaves));
            },
            "tree"_a, "The place of each row's leaf in a tree (feature, left, right, answer).")
        .def(
            "solve_plainly",
            [](const OptimalProblem& self) {
                optimal::ReferenceAnswer answer;
                {
                    nb::gil_scoped_release release;
                    answer = optimal::solve_plainly(self.problem, self.limits);
                }
                return nb::make_tuple(answer.objective, arrays_of(answer.tree));
            },
            "The reference solver: slow, without bounds. Returns the objective and a tree.");

    nb::class_<optimal::Tactics>(module, "OptimalTactics", "Switches that change the time of a run, never its optimum.")
        .def(
            "__init__",
            [](optimal::Tactics* self, int deepest, bool table, bool siblings, bool archive, bool floor,
               bool look_ahead, bool probes, bool merge, bool steps, const std::string& machine,
               std::size_t table_bytes) {
                if (deepest < 0 || deepest > 3) throw std::invalid_argument("deepest must be between 0 and 3");
                new (self) optimal::Tactics{deepest,    table,  siblings, archive, floor,
                                            look_ahead, probes, merge,    steps,   machine_of(machine),
                                            table_bytes};
            },
            nb::kw_only(), "deepest"_a = 3, "table"_a = true, "siblings"_a = true, "archive"_a = true, "floor"_a = true,
            "look_ahead"_a = true, "probes"_a = true, "merge"_a = true, "steps"_a = true, "machine"_a = "best",
            "table_bytes"_a = optimal::Tactics{}.table_bytes);

    nb::class_<OptimalKept>(module, "OptimalKept", "What a run hands on to one with appended features.")
        .def_prop_ro(
            "n_bytes", [](const OptimalKept& self) { return self.kept->bytes(); }, "Of tables of pairs.")
        .def_prop_ro(
            "n_bytes_of_parts", [](const OptimalKept& self) { return self.kept->parts_bytes(); },
            "Of the table of what is known about parts of the rows.");

    module.def(
        "solve_optimally",
        [](const OptimalProblem& problem, const optimal::Tactics& tactics, double time_limit, std::size_t memory_limit,
           std::int64_t max_gap, std::size_t n_threads, std::optional<Trees> initial, bool keep,
           std::optional<OptimalKept> past, nb::object poll) {
            struct {
                std::atomic<std::int64_t> objective{-1}, lower{0}, n_nodes{0};
            } latest;
            optimal::Run run{time_limit, memory_limit,    max_gap, std::max<std::size_t>(1, n_threads), {}, keep,
                             {},         &latest.n_nodes, {}};
            if (past) run.past = past->kept;
            if (initial) run.initial = sketch_of(*initial, problem);
            run.report = [&](const optimal::Improvement& step) {
                latest.objective = step.objective;
                latest.lower = step.lower;
            };
            const auto start = std::chrono::steady_clock::now();
            bool interrupted = false;
            // Ctrl-C ends the search, not the call: the best tree is handed back. Other errors end the call.
            Monitor monitor([&](double) {
                nb::gil_scoped_acquire acquire;
                if (PyErr_CheckSignals() != 0) {
                    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
                    PyErr_Clear();
                    interrupted = true;
                    return true;
                }
                if (poll.is_none()) return false;
                const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                return nb::cast<bool>(
                    nb::bool_(poll(seconds, latest.objective.load(), latest.lower.load(), latest.n_nodes.load())));
            });
            optimal::Outcome outcome;
            {
                nb::gil_scoped_release release;
                outcome = optimal::solve(problem.problem, problem.limits, run, tactics, monitor);
            }
            nb::dict out = dict_of(outcome);
            out["kept"] = outcome.kept ? nb::cast(OptimalKept{outcome.kept}) : nb::none();
            out["keyboard_interrupt"] = interrupted;
            return out;
        },
        "problem"_a, "tactics"_a, nb::kw_only(), "time_limit"_a = -1.0, "memory_limit"_a = 0, "max_gap"_a = 0,
        "n_threads"_a = 1, "initial"_a.none() = nb::none(), "keep"_a = false, "past"_a.none() = nb::none(),
        "poll"_a.none() = nb::none(),
        "The best tree with its certificate. `poll`, if given, is called from the calling thread with the seconds,\n"
        "the objective, the lower bound and the number of nodes opened, and ends the search when it returns True. A\n"
        "time limit below 0 and a memory limit of 0 mean none. With `keep`, what a run with appended features can use "
        "is handed on as `kept`;\n"
        "that run gets it as `past`.");
}

}  // namespace boxwood::bindings
