#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/growth.hpp"
#include "grow/regression/grow.hpp"

namespace boxwood::bindings {

using namespace nb::literals;

namespace {

nb::dict arrays_of(GrownTree&& tree) {
    const std::size_t n = tree.kind.size();
    nb::dict out = structure_of(tree);
    out["sums"] = give(std::move(tree.sums), {n, std::size_t{3}});
    out["answer"] = give(std::move(tree.answer));
    return out;
}

}  // namespace

void define_regressing(nb::module_& module) {
    module.def(
        "grow_regression",
        [](std::vector<AnyColumn> columns, Array<std::int32_t> n_categories, Array<double> target,
           std::optional<Array<double>> weights, const Options& options, nb::object poll) {
            if (n_categories.size() != columns.size()) throw std::invalid_argument("n_categories has a wrong length");
            const Columns table = columns_of(columns, n_categories.data());
            RegressionProblem problem{table.columns, table.n_rows, span(target), {}};
            if (weights) problem.weights = span(*weights);
            Monitor monitor(poll_of(std::move(poll)));
            GrownTree tree;
            {
                nb::gil_scoped_release release;
                tree = grow_regression(problem, options, monitor);
            }
            return arrays_of(std::move(tree));
        },
        "columns"_a, "n_categories"_a, "target"_a, "weights"_a.none(), "options"_a, "poll"_a.none() = nb::none(),
        "Grow a greedy regression tree; returns the arrays of boxwood.tree.Tree by name.");
}

}  // namespace boxwood::bindings
