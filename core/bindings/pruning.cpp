#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "bindings/arrays.hpp"
#include "pruning/best_sizes.hpp"
#include "pruning/bottom_up.hpp"
#include "pruning/raising.hpp"
#include "pruning/upper_error.hpp"
#include "pruning/weakest_link.hpp"

namespace boxwood::bindings {

using namespace nb::literals;
using pruning::Shape;

namespace {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Shape shape_of(const Array<std::int32_t>& first_child, const Array<std::int32_t>& n_children) {
    const Shape shape{span(first_child), span(n_children)};
    shape.check();
    return shape;
}

template <class... Arrays>
void same_length(std::size_t n, const Arrays&... arrays) {
    if (((arrays.size() != n) || ...)) throw std::invalid_argument("one number per node is needed");
}

}  // namespace

void define_pruning(nb::module_& module) {
    module.def(
        "add_up",
        [](Array<std::int32_t> first_child, Array<std::int32_t> n_children, Table table) {
            const Shape shape = shape_of(first_child, n_children);
            if (table.shape(0) != shape.n_nodes()) throw std::invalid_argument("one row per node is needed");
            const std::size_t width = table.shape(1);
            std::vector<double> sums(table.data(), table.data() + table.size());
            pruning::add_up(shape, width, sums.data());
            return give(std::move(sums), {shape.n_nodes(), width});
        },
        "first_child"_a, "n_children"_a, "table"_a,
        nb::sig("def add_up(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], table: "
                "NDArray[numpy.float64]) -> NDArray[numpy.float64]"),
        "To the numbers of each node, those of all nodes below it added.");

    module.def(
        "subtree_extremes",
        [](Array<std::int32_t> first_child, Array<std::int32_t> n_children, Array<double> value,
           Array<std::uint8_t> takes_part) {
            const Shape shape = shape_of(first_child, n_children);
            same_length(shape.n_nodes(), value, takes_part);
            auto found = pruning::extremes(shape, span(value), span(takes_part));
            return nb::make_tuple(give(std::move(found.least)), give(std::move(found.largest)));
        },
        "first_child"_a, "n_children"_a, "value"_a, "takes_part"_a,
        nb::sig("def subtree_extremes(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], value: "
                "NDArray[numpy.float64], takes_part: NDArray[numpy.uint8]) -> tuple[NDArray[numpy.float64], "
                "NDArray[numpy.float64]]"),
        "The least and the largest value at and below each node, over the nodes that take part.");

    module.def(
        "cheapest_subtree",
        [](Array<std::int32_t> first_child, Array<std::int32_t> n_children, Array<double> leaf, Array<double> own,
           double slack) {
            const Shape shape = shape_of(first_child, n_children);
            same_length(shape.n_nodes(), leaf, own);
            auto found = pruning::cheapest(shape, span(leaf), span(own), slack);
            return nb::make_tuple(give(std::move(found.collapsed)), give(std::move(found.cost)));
        },
        "first_child"_a, "n_children"_a, "leaf"_a, "own"_a, "slack"_a = 0.0,
        nb::sig("def cheapest_subtree(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], leaf: "
                "NDArray[numpy.float64], own: NDArray[numpy.float64], slack: float = 0.0) -> "
                "tuple[NDArray[numpy.uint8], NDArray[numpy.float64]]"),
        "Which inner nodes are better off as leaves, and what the best subtree at each node costs.");

    module.def(
        "weakest_links",
        [](Array<std::int32_t> first_child, Array<std::int32_t> n_children, Array<double> risk) {
            const Shape shape = shape_of(first_child, n_children);
            same_length(shape.n_nodes(), risk);
            pruning::Links links;
            {
                nb::gil_scoped_release release;
                links = pruning::weakest_links(shape, span(risk));
            }
            return nb::make_tuple(give(std::move(links.node)), give(std::move(links.alpha)),
                                  give(std::move(links.risk)));
        },
        "first_child"_a, "n_children"_a, "risk"_a,
        nb::sig("def weakest_links(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], risk: "
                "NDArray[numpy.float64]) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64], "
                "NDArray[numpy.float64]]"),
        "The inner nodes in the order in which they become leaves, the prices, and the risks of the trees.");

    module.def(
        "best_sizes",
        [](Array<std::int32_t> first_child, Array<std::int32_t> n_children, Array<double> risk, std::size_t most,
           std::optional<std::size_t> n_leaves) {
            const Shape shape = shape_of(first_child, n_children);
            same_length(shape.n_nodes(), risk);
            std::vector<double> risks;
            std::vector<std::uint8_t> collapsed;
            {
                nb::gil_scoped_release release;
                const pruning::BestSizes found(shape, span(risk), most);
                risks = found.risks();
                // None asked for: the least risk, and of equals the fewest leaves.
                const auto least =
                    static_cast<std::size_t>(std::min_element(risks.begin(), risks.end()) - risks.begin());
                const std::size_t wanted = n_leaves.value_or(least + 1);
                if (wanted < 1 || wanted > risks.size()) throw std::invalid_argument("no tree has so many leaves");
                collapsed = found.collapsed(wanted);
            }
            return nb::make_tuple(give(std::move(risks)), give(std::move(collapsed)));
        },
        "first_child"_a, "n_children"_a, "risk"_a, "most"_a, "n_leaves"_a = nb::none(),
        nb::sig("def best_sizes(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], risk: "
                "NDArray[numpy.float64], most: int, n_leaves: int | None = None) -> tuple[NDArray[numpy.float64], "
                "NDArray[numpy.uint8]]"),
        "The least risk of each number of leaves, and the inner nodes that become leaves in one of these trees.");

    module.def(
        "extra_errors",
        [](Array<double> size, Array<double> errors, double confidence, double z, bool weka) {
            same_length(size.size(), errors);
            const pruning::UpperError bound{confidence, z, weka};
            std::vector<double> extra(size.size());
            for (std::size_t i = 0; i < extra.size(); ++i) extra[i] = bound.extra(size.data()[i], errors.data()[i]);
            return give(std::move(extra));
        },
        "size"_a, "errors"_a, "confidence"_a, "z"_a, "weka"_a,
        nb::sig("def extra_errors(size: NDArray[numpy.float64], errors: NDArray[numpy.float64], confidence: float, "
                "z: float, weka: bool) -> NDArray[numpy.float64]"),
        "What error-based pruning adds to the errors of each leaf.");

    module.def(
        "prune_and_raise",
        [](const Router& router, Array<std::int32_t> first_child, Array<std::int32_t> n_children,
           const std::vector<AnyColumn>& columns, Array<std::int32_t> target, std::optional<Array<double>> weights,
           Table counts, Array<std::int64_t> n_rows, bool spreads, double confidence, double z, bool weka, double slack,
           Array<double> size, std::optional<Table> losses, double tie, std::size_t n_threads) {
            const Shape shape = shape_of(first_child, n_children);
            const Columns table = columns_of(columns, nullptr);
            const std::size_t k = counts.shape(1);
            same_length(shape.n_nodes(), n_rows);
            same_length(table.n_rows, target);
            same_length(k, size);
            if (router.n_nodes() != shape.n_nodes() || counts.shape(0) != shape.n_nodes() ||
                (weights && weights->size() != table.n_rows) || (losses && losses->size() != k * k)) {
                throw std::invalid_argument("arrays of unequal length");
            }
            for (std::size_t row = 0; row < table.n_rows; ++row) {
                if (target.data()[row] < 0 || static_cast<std::size_t>(target.data()[row]) >= k) {
                    throw std::invalid_argument("a class is out of range");
                }
            }
            pruning::Raised found;
            {
                nb::gil_scoped_release release;
                Buffer<std::int32_t> leaf(spreads ? 0 : table.n_rows);
                if (!spreads) {
                    Team team(table.n_rows < 20000 ? 1 : n_threads);
                    router.apply(table.columns, table.n_rows, false, leaf.data(), team);
                }
                const pruning::RaisingRows rows{table.columns,
                                                span(target),
                                                weights ? span(*weights) : std::span<const double>{},
                                                {leaf.data(), leaf.size()},
                                                spreads};
                const pruning::RaisingRule rule{
                    {confidence, z, weka},
                    slack,
                    k,
                    span(size),
                    losses ? std::span<const double>{losses->data(), k * k} : std::span<const double>{},
                    tie,
                    weka};
                found =
                    pruning::prune_and_raise(shape, router, rows, rule, {counts.data(), counts.size()}, span(n_rows));
            }
            const std::size_t n = found.source.size();
            nb::dict out;
            out["source"] = give(std::move(found.source));
            out["leaf"] = give(std::move(found.leaf));
            out["changed"] = give(std::move(found.changed));
            out["counts"] = give(std::move(found.counts), {n, k});
            out["n_rows"] = give(std::move(found.n_rows));
            out["n_raised"] = found.n_raised;
            return out;
        },
        "router"_a, "first_child"_a, "n_children"_a, "columns"_a, "target"_a, "weights"_a.none(), "counts"_a,
        "n_rows"_a, "spreads"_a, "confidence"_a, "z"_a, "weka"_a, "slack"_a, "size"_a, "losses"_a.none(), "tie"_a,
        "n_threads"_a = 1,
        nb::sig("def prune_and_raise(router: Router, first_child: NDArray[numpy.int32], n_children: "
                "NDArray[numpy.int32], columns: Sequence[NDArray], target: NDArray[numpy.int32], weights: "
                "NDArray[numpy.float64] | None, counts: NDArray[numpy.float64], n_rows: NDArray[numpy.int64], "
                "spreads: bool, confidence: float, z: float, weka: bool, slack: float, size: "
                "NDArray[numpy.float64], losses: NDArray[numpy.float64] | None, tie: float, n_threads: int = 1) "
                "-> dict"),
        "Error-based pruning with subtree raising: the nodes of the new tree, by their numbers in the old one.");
}

}  // namespace boxwood::bindings
