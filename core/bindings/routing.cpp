#include <memory>

#include "bindings/arrays.hpp"
#include "tree/router.hpp"

namespace boxwood::bindings {

using namespace nb::literals;

void define_routing(nb::module_& module) {
    module.def(
        "find_infinite",
        [](const std::vector<AnyColumn>& columns) {
            const Columns table = columns_of(columns, nullptr);
            nb::gil_scoped_release release;
            const Cell cell = find_infinite(table.columns, table.n_rows);
            return std::pair(cell.column, cell.row);
        },
        "columns"_a, "The (column, row) of the first infinite cell of float64 columns, or (-1, -1).");

    nb::class_<Router>(module, "Router", "Sends rows to the nodes of a tree: the one routing rule.")
        .def(
            "__init__",
            [](Router* self, Array<std::int32_t> n_categories, Array<std::int8_t> kind, Array<std::int32_t> feature,
               Array<double> threshold, Array<std::int32_t> first_child, Array<std::int32_t> n_children,
               Array<std::int32_t> missing_branch, Array<std::int32_t> unknown_branch,
               Array<std::int64_t> category_offset, Array<std::int32_t> category_code,
               Array<std::int32_t> category_branch) {
                new (self) Router({span(n_categories), span(kind), span(feature), span(threshold), span(first_child),
                                   span(n_children), span(missing_branch), span(unknown_branch), span(category_offset),
                                   span(category_code), span(category_branch)});
            },
            "n_categories"_a, "kind"_a, "feature"_a, "threshold"_a, "first_child"_a, "n_children"_a, "missing_branch"_a,
            "unknown_branch"_a, "category_offset"_a, "category_code"_a, "category_branch"_a,
            "Check and compile a tree's arrays; raises ValueError if they are not a tree.")
        .def(
            "apply",
            [](const Router& self, const std::vector<AnyColumn>& columns, std::size_t n_threads,
               bool refuse_infinite) -> nb::object {
                const Columns table = columns_of(columns, nullptr);
                Buffer<std::int32_t> out(table.n_rows);
                bool finite = true;
                {
                    nb::gil_scoped_release release;
                    Team team(table.n_rows < 20000 ? 1 : n_threads);
                    finite = self.apply(table.columns, table.n_rows, refuse_infinite, out.data(), team);
                }
                if (!finite) return nb::none();
                return nb::cast(give(std::move(out)));
            },
            "columns"_a, "n_threads"_a = 1, "refuse_infinite"_a = false,
            nb::sig("def apply(self, columns: Sequence[NDArray], n_threads: int = 1, refuse_infinite: bool = False) "
                    "-> NDArray[numpy.int32] | None"),
            "The node where each row ends; -1 - node where an unknown category is an error. None if a cell is\n"
            "infinite and that is to be refused.");
}

}  // namespace boxwood::bindings
