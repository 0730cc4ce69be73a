#include <memory>

#include "bindings/arrays.hpp"
#include "tree/router.hpp"

namespace boxwood::bindings {

using namespace nb::literals;

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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
               Array<std::int32_t> category_branch, Array<double> weight, Array<std::int64_t> surrogate_offset,
               Array<std::int32_t> surrogate_feature, Array<double> surrogate_threshold,
               Array<std::int8_t> surrogate_flipped, Array<std::int64_t> surrogate_category_offset,
               Array<std::int32_t> surrogate_category_code, Array<std::int32_t> surrogate_category_branch) {
                new (self) Router({span(n_categories),
                                   span(kind),
                                   span(feature),
                                   span(threshold),
                                   span(first_child),
                                   span(n_children),
                                   span(missing_branch),
                                   span(unknown_branch),
                                   span(category_offset),
                                   span(category_code),
                                   span(category_branch),
                                   span(weight),
                                   {span(surrogate_offset), span(surrogate_feature), span(surrogate_threshold),
                                    span(surrogate_flipped), span(surrogate_category_offset),
                                    span(surrogate_category_code), span(surrogate_category_branch)}});
            },
            "n_categories"_a, "kind"_a, "feature"_a, "threshold"_a, "first_child"_a, "n_children"_a, "missing_branch"_a,
            "unknown_branch"_a, "category_offset"_a, "category_code"_a, "category_branch"_a, "weight"_a,
            "surrogate_offset"_a, "surrogate_feature"_a, "surrogate_threshold"_a, "surrogate_flipped"_a,
            "surrogate_category_offset"_a, "surrogate_category_code"_a, "surrogate_category_branch"_a,
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
            "The node where each row ends, or the heaviest end of a row that is spread; -1 - node where an unknown\n"
            "category is an error. None if a cell is infinite and that is to be refused.")
        .def(
            "mix",
            [](const Router& self, const std::vector<AnyColumn>& columns, const Table& values, std::size_t n_threads,
               bool refuse_infinite) -> nb::object {
                if (values.shape(0) != self.n_nodes()) throw std::invalid_argument("one row of values per node");
                const Columns table = columns_of(columns, nullptr);
                const std::size_t width = values.shape(1);
                Buffer<std::int32_t> out(table.n_rows);
                std::vector<double> mixed(table.n_rows * width);
                bool finite = true;
                {
                    nb::gil_scoped_release release;
                    Team team(table.n_rows < 20000 ? 1 : n_threads);
                    finite = self.mix(table.columns, table.n_rows, refuse_infinite, values.data(), width, out.data(),
                                      mixed.data(), team);
                }
                if (!finite) return nb::none();
                return nb::make_tuple(give(std::move(out)), give(std::move(mixed), {table.n_rows, width}));
            },
            "columns"_a, "values"_a, "n_threads"_a = 1, "refuse_infinite"_a = false,
            nb::sig("def mix(self, columns: Sequence[NDArray], values: NDArray[numpy.float64], n_threads: int = 1, "
                    "refuse_infinite: bool = False) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]] | None"),
            "What apply() gives, and for each row the mean of its ends' values (one row of them per node), weighted\n"
            "by their shares.")
        .def(
            "ends",
            [](const Router& self, const std::vector<AnyColumn>& columns, std::size_t n_threads) {
                const Columns table = columns_of(columns, nullptr);
                std::vector<std::int64_t> offset;
                std::vector<std::int32_t> node;
                std::vector<double> share;
                {
                    nb::gil_scoped_release release;
                    Team team(table.n_rows < 20000 ? 1 : n_threads);
                    const auto found = self.ends(table.columns, table.n_rows, offset, team);
                    node.reserve(found.size());
                    share.reserve(found.size());
                    for (const Router::End& end : found) {
                        node.push_back(end.node);
                        share.push_back(end.share);
                    }
                }
                return nb::make_tuple(give(std::move(offset)), give(std::move(node)), give(std::move(share)));
            },
            "columns"_a, "n_threads"_a = 1,
            nb::sig("def ends(self, columns: Sequence[NDArray], n_threads: int = 1) -> tuple[NDArray[numpy.int64], "
                    "NDArray[numpy.int32], NDArray[numpy.float64]]"),
            "All ends of all rows: where each row's begin (and their number), their nodes, their shares.")
        .def(
            "passed",
            [](const Router& self, const std::vector<AnyColumn>& columns, std::size_t n_threads) {
                const Columns table = columns_of(columns, nullptr);
                std::vector<std::int64_t> offset;
                std::vector<std::int32_t> node;
                {
                    nb::gil_scoped_release release;
                    Team team(table.n_rows < 20000 ? 1 : n_threads);
                    node = self.passed(table.columns, table.n_rows, offset, team);
                }
                return nb::make_tuple(give(std::move(offset)), give(std::move(node)));
            },
            "columns"_a, "n_threads"_a = 1,
            nb::sig("def passed(self, columns: Sequence[NDArray], n_threads: int = 1) -> tuple[NDArray[numpy.int64], "
                    "NDArray[numpy.int32]]"),
            "All nodes that the rows pass: where each row's begin (and their number), and the nodes.");
}

}  // namespace boxwood::bindings
