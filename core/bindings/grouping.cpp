#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <limits>
#include <optional>
#include <tuple>

#include "bindings/arrays.hpp"
#include "grow/options.hpp"
#include "search/categorical/max_cut/cut.hpp"
#include "search/categorical/max_cut/greedy.hpp"
#include "search/categorical/max_cut/local_search.hpp"
#include "search/categorical/max_cut/relaxation.hpp"
#include "search/categorical/max_cut/weights.hpp"
#include "search/categorical/one_table.hpp"

namespace boxwood::bindings {

using namespace nb::literals;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Groups groups_of(const Matrix& table) {
    if (table.shape(1) == 0 || table.shape(1) > 65'535) throw std::invalid_argument("1 to 65,535 classes");
    if (table.shape(0) >= std::numeric_limits<std::int32_t>::max()) throw std::invalid_argument("too many values");
    return groups_of_table({table.data(), table.size()}, table.shape(1));
}

Graph graph_of(const Matrix& weights) {
    if (weights.shape(0) != weights.shape(1)) throw std::invalid_argument("weights must be a square matrix");
    Graph graph(weights.shape(0));
    graph.weight.assign(weights.data(), weights.data() + weights.size());
    return graph;
}

DenseTable dense_of(const Matrix& table) {
    DenseTable out;
    out.n_values = table.shape(0);
    out.n_classes = table.shape(1);
    out.count.assign(table.data(), table.data() + table.size());
    return out;
}

std::vector<std::uint8_t> sides_of(const Array<std::uint8_t>& side, std::size_t n) {
    if (side.size() != n) throw std::invalid_argument("there must be one side per vertex");
    return {side.data(), side.data() + side.size()};
}

}  // namespace

void define_grouping(nb::module_& module) {
    module.def(
        "split_categories",
        [](Matrix table, const Options& options, std::optional<Matrix> mixing) {
            const Groups groups = groups_of(table);
            std::span<const double> costs;
            if (mixing) {
                if (mixing->shape(0) != table.shape(1) || mixing->shape(1) != table.shape(1)) {
                    throw std::invalid_argument("mixing must be classes x classes");
                }
                costs = {mixing->data(), mixing->size()};
            }
            OneTable found;
            {
                nb::gil_scoped_release release;
                found = split_one_table(groups, table.shape(1), options.measure, options.categories, costs);
            }
            return std::make_tuple(give(std::move(found.branch)), found.impurity, found.merit);
        },
        "table"_a, "options"_a, "mixing"_a.none() = nb::none(),
        "The branch of each row of a table of positive rows, the weighted impurity of the split, and its merit.");
    module.def(
        "category_groupings",
        [](Matrix table, const Options& options) {
            const Groups groups = groups_of(table);
            auto branches = groupings_of_one_table(groups, table.shape(1), options.measure, options.categories);
            const std::size_t n = groups.size(), m = branches.size() / n;
            return give(std::move(branches), {m, n});
        },
        "table"_a, "options"_a, "The groupings that a search tries: the branch of each value, by grouping.");
    module.def(
        "cut_weights",
        [](Matrix table, const std::string& kind, std::optional<Matrix> mixing) {
            const DenseTable counts = dense_of(table);
            if (kind != "squared_gini" && kind != "chi2") throw std::invalid_argument("unknown weights: " + kind);
            std::span<const double> costs;
            if (mixing) costs = {mixing->data(), mixing->size()};
            Graph graph = kind == "chi2" ? chi2_weights(counts) : squared_gini_weights(counts, costs);
            return give(std::move(graph.weight), {graph.n, graph.n});
        },
        "table"_a, "kind"_a, "mixing"_a.none() = nb::none(), "What parting each pair of values is worth.");
    module.def(
        "greedy_cut", [](Matrix weights) { return give(greedy_cut(graph_of(weights))); }, "weights"_a,
        "GreedyCut: the side of each vertex.");
    module.def(
        "improve_cut",
        [](Matrix weights, Array<std::uint8_t> side, std::size_t moves, std::size_t exchanges) {
            const Graph graph = graph_of(weights);
            std::vector<std::uint8_t> sides = sides_of(side, graph.n);
            improve_cut(graph, sides, {moves, exchanges});
            return give(std::move(sides));
        },
        "weights"_a, "side"_a, "moves"_a, "exchanges"_a, "Local search: the side of each vertex afterwards.");
    module.def(
        "relax_cut",
        [](Matrix weights) {
            Relaxation relaxation = relax_cut(graph_of(weights));
            const std::size_t n = weights.shape(0);
            return std::make_tuple(relaxation.value, give(std::move(relaxation.vectors), {n, relaxation.rank}));
        },
        "weights"_a, "The semidefinite relaxation of the maximum cut: its value and a unit vector per vertex.");
    module.def(
        "heavy_cut", [](Matrix weights, bool relaxed) { return give(heavy_cut(graph_of(weights), relaxed)); },
        "weights"_a, "relaxed"_a, "A heavy cut: by GreedyCut or by the relaxation, then local search.");
}

}  // namespace boxwood::bindings
