#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/growth.hpp"
#include "grow/grow.hpp"
#include "grow/levels.hpp"
#include "grow/spread/grow.hpp"
#include "select/chi_square.hpp"
#include "select/stopping.hpp"

namespace boxwood::bindings {

using namespace nb::literals;

namespace {

template <class T>
T choice(const char* what, const std::string& name, const std::map<std::string, T>& known) {
    const auto found = known.find(name);
    if (found == known.end()) throw std::invalid_argument(std::string("unknown ") + what + ": " + name);
    return found->second;
}

nb::dict arrays_of(GrownTree&& tree, std::size_t n_classes) {
    const std::size_t n = tree.kind.size();
    nb::dict out = structure_of(tree);
    out["counts"] = give(std::move(tree.sums), {n, n_classes});
    return out;
}

// A problem whose arrays are kept alive.
struct Kept {
    std::vector<AnyColumn> arrays;
    Array<std::int32_t> n_categories, target;
    std::optional<Array<double>> weights;
    Columns table;
    Problem problem;

    Kept(std::vector<AnyColumn> columns, Array<std::int32_t> categories, Array<std::int32_t> classes,
         std::size_t n_classes, std::optional<Array<double>> row_weights)
        : arrays(std::move(columns)),
          n_categories(std::move(categories)),
          target(std::move(classes)),
          weights(std::move(row_weights)) {
        if (n_categories.size() != arrays.size()) throw std::invalid_argument("n_categories has a wrong length");
        table = columns_of(arrays, n_categories.data());
        problem = {table.columns, table.n_rows, span(target), n_classes, {}};
        if (weights) problem.weights = span(*weights);
    }
};

struct LevelGrower {
    Kept kept;
    std::unique_ptr<Levels> levels;
};

Gathered gather(LevelGrower& grower, BranchForm form) {
    if (form == BranchForm::kMinority && grower.kept.problem.n_classes != 2) {
        throw std::invalid_argument("the smaller share needs two classes");
    }
    nb::gil_scoped_release release;
    return grower.levels->gather(form);
}

}  // namespace

void define_growing(nb::module_& module) {
    nb::class_<Options>(module, "Options", "What is asked of a growth; -1 stands for no limit.")
        .def(
            "__init__",
            [](Options* self, const std::string& criterion, double parameter, const std::string& cut_rule,
               const std::string& cuts, const std::string& splitter, std::vector<int> monotonic,
               const std::string& missing, const std::string& unknown_category, const std::string& categorical_split,
               std::int64_t max_depth, std::int64_t min_samples_split, std::int64_t min_samples_leaf,
               double min_weight_leaf, double min_impurity_decrease, std::int64_t max_features,
               std::int64_t max_leaf_nodes, std::uint64_t seed, std::size_t n_threads, double min_significance,
               bool mdl_stop, const std::string& gain_correction, const std::string& leaf_minimum,
               const std::string& numeric_minimum, double min_value_gap, const std::string& comparison,
               const std::string& thresholds, const std::string& select, double max_p_value, double min_second_value,
               double alpha, std::uint32_t monte_carlo, const std::string& search_criterion, std::size_t max_surrogates,
               std::vector<double> mixing) {
                Options options;
                const std::map<std::string, Criterion> criteria{{"gini", Criterion::kGini},
                                                                {"entropy", Criterion::kEntropy},
                                                                {"gain_ratio", Criterion::kGainRatio},
                                                                {"error", Criterion::kError},
                                                                {"ambiguity", Criterion::kAmbiguity},
                                                                {"sine", Criterion::kSine},
                                                                {"tsallis", Criterion::kTsallis},
                                                                {"twoing", Criterion::kTwoing},
                                                                {"hellinger", Criterion::kHellinger},
                                                                {"given", Criterion::kGiven},
                                                                {"squared_error", Criterion::kSquaredError},
                                                                {"absolute_error", Criterion::kAbsoluteError},
                                                                {"poisson", Criterion::kPoisson}};
                options.measure.kind = choice<Criterion>("criterion", criterion, criteria);
                options.measure.q = parameter;
                options.search_measure.kind = choice<Criterion>("criterion", search_criterion, criteria);
                options.search_measure.q = parameter;
                if (options.measure.kind == Criterion::kTsallis && !(parameter > 0 && std::isfinite(parameter))) {
                    throw std::invalid_argument("the parameter of tsallis must be positive and finite");
                }
                options.measure.given_rule = choice<CutRule>("cut rule", cut_rule,
                                                             {{"boundaries", CutRule::kBoundaries},
                                                              {"equal_shares", CutRule::kEqualShares},
                                                              {"all", CutRule::kAll}});
                options.all_cuts = choice<bool>("choice of cuts", cuts, {{"auto", false}, {"all", true}});
                options.random_cuts = choice<bool>("splitter", splitter, {{"best", false}, {"random", true}});
                if (std::any_of(monotonic.begin(), monotonic.end(), [](int sign) { return sign < -1 || sign > 1; })) {
                    throw std::invalid_argument("a monotonic constraint must be -1, 0 or 1");
                }
                options.monotonic = std::move(monotonic);
                options.missing = choice<MissingMode>("missing mode", missing,
                                                      {{"learn", MissingMode::kLearn},
                                                       {"branch", MissingMode::kBranch},
                                                       {"fractional", MissingMode::kFractional},
                                                       {"surrogate", MissingMode::kSurrogate}});
                options.unknown = choice<UnknownRule>("rule for unknown categories", unknown_category,
                                                      {{"missing", UnknownRule::kMissing},
                                                       {"majority", UnknownRule::kMajority},
                                                       {"stop", UnknownRule::kStop},
                                                       {"error", UnknownRule::kError},
                                                       {"distribute", UnknownRule::kDistribute}});
                options.categories = choice<CategorySplit>("categorical split", categorical_split,
                                                           {{"auto", CategorySplit::kAuto},
                                                            {"exact", CategorySplit::kExact},
                                                            {"ordered", CategorySplit::kOrdered},
                                                            {"twoing", CategorySplit::kTwoing},
                                                            {"sliq", CategorySplit::kSliq},
                                                            {"sliq_ext", CategorySplit::kSliqExt},
                                                            {"pc", CategorySplit::kPc},
                                                            {"pc_ext", CategorySplit::kPcExt},
                                                            {"largest_alone", CategorySplit::kLargestAlone},
                                                            {"list_scheduling", CategorySplit::kListScheduling},
                                                            {"squared_gini", CategorySplit::kSquaredGini},
                                                            {"chi2", CategorySplit::kChi2},
                                                            {"squared_gini_sdp", CategorySplit::kSquaredGiniSdp},
                                                            {"chi2_sdp", CategorySplit::kChi2Sdp},
                                                            {"multiway", CategorySplit::kMultiway},
                                                            {"one_vs_rest", CategorySplit::kOneVsRest}});
                options.stopping.min_significance = min_significance;
                options.stopping.by_description = mdl_stop;
                options.mdl_gain = choice<bool>("gain correction", gain_correction, {{"none", false}, {"mdl", true}});
                options.two_branches = choice<bool>("leaf minimum", leaf_minimum, {{"every", false}, {"two", true}});
                options.quinlan_minimum =
                    choice<bool>("numeric minimum", numeric_minimum, {{"plain", false}, {"quinlan", true}});
                options.min_value_gap = min_value_gap;
                options.weka_comparison = choice<bool>("comparison", comparison, {{"exact", false}, {"weka", true}});
                options.training_threshold =
                    choice<bool>("thresholds", thresholds, {{"midpoint", false}, {"training_value", true}});
                if (max_depth >= 0) options.max_depth = max_depth;
                if (max_features >= 0) options.max_features = static_cast<std::size_t>(max_features);
                options.min_samples_split = min_samples_split;
                options.min_samples_leaf = min_samples_leaf;
                options.min_weight_leaf = min_weight_leaf;
                options.min_impurity_decrease = min_impurity_decrease;
                options.max_leaf_nodes = max_leaf_nodes;
                options.seed = seed;
                options.n_threads = n_threads;
                options.screening.kind = choice<Select>("selection", select,
                                                        {{"score", Select::kScore},
                                                         {"chi2_filter", Select::kChi2Filter},
                                                         {"conditional_inference", Select::kConditional}});
                options.screening.max_p = max_p_value;
                options.screening.min_second = min_second_value;
                options.screening.alpha = alpha;
                options.screening.permutations = monte_carlo;
                options.max_surrogates = max_surrogates;
                options.mixing = std::move(mixing);
                new (self) Options(options);
            },
            nb::kw_only(), "criterion"_a = "gini", "parameter"_a = 0.0, "cut_rule"_a = "all", "cuts"_a = "auto",
            "splitter"_a = "best", "monotonic"_a = std::vector<int>{}, "missing"_a = "learn",
            "unknown_category"_a = "missing", "categorical_split"_a = "auto", "max_depth"_a = -1,
            "min_samples_split"_a = 2, "min_samples_leaf"_a = 1, "min_weight_leaf"_a = 0.0,
            "min_impurity_decrease"_a = 0.0, "max_features"_a = -1, "max_leaf_nodes"_a = -1, "seed"_a = 0,
            "n_threads"_a = 1, "min_significance"_a = 1.0, "mdl_stop"_a = false, "gain_correction"_a = "none",
            "leaf_minimum"_a = "every", "numeric_minimum"_a = "plain", "min_value_gap"_a = 0.0,
            "comparison"_a = "exact", "thresholds"_a = "midpoint", "select"_a = "score", "max_p_value"_a = 0.1,
            "min_second_value"_a = 15.0, "alpha"_a = 0.05, "monte_carlo"_a = 0, "search_criterion"_a = "gini",
            "max_surrogates"_a = 5, "mixing"_a = std::vector<double>{});

    module.def("log_chi_square_tail", &log_chi_square_tail, "x"_a, "freedom"_a,
               "The logarithm of the probability that a chi-square distributed number exceeds x.");

    module.def(
        "grow",
        [](std::vector<AnyColumn> columns, Array<std::int32_t> n_categories, Array<std::int32_t> target,
           std::size_t n_classes, std::optional<Array<double>> weights, const Options& options, nb::object poll) {
            const Kept kept(std::move(columns), std::move(n_categories), std::move(target), n_classes,
                            std::move(weights));
            Monitor monitor(poll_of(std::move(poll)));
            GrownTree tree;
            {
                nb::gil_scoped_release release;
                tree = grow(kept.problem, options, monitor);
            }
            return arrays_of(std::move(tree), n_classes);
        },
        "columns"_a, "n_categories"_a, "target"_a, "n_classes"_a, "weights"_a.none(), "options"_a,
        "poll"_a.none() = nb::none(), "Grow a greedy tree; returns the arrays of boxwood.tree.Tree by name.");

    module.def(
        "grow_spread",
        [](std::vector<AnyColumn> columns, Array<std::int32_t> n_categories, Array<std::int32_t> target,
           std::size_t n_classes, std::optional<Array<double>> weights, const Options& options, nb::object poll) {
            const Kept kept(std::move(columns), std::move(n_categories), std::move(target), n_classes,
                            std::move(weights));
            Monitor monitor(poll_of(std::move(poll)));
            GrownTree tree;
            {
                nb::gil_scoped_release release;
                tree = grow_spread(kept.problem, options, monitor);
            }
            return arrays_of(std::move(tree), n_classes);
        },
        "columns"_a, "n_categories"_a, "target"_a, "n_classes"_a, "weights"_a.none(), "options"_a,
        "poll"_a.none() = nb::none(), "The same, with the rows that lack a tested value in every branch.");

    module.def(
        "significance",
        [](nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> branches) {
            const std::size_t n = branches.shape(0), width = branches.shape(1);
            std::vector<double> weight(n, 0.0);
            for (std::size_t i = 0; i < n * width; ++i) weight[i / width] += branches.data()[i];
            return significance({{branches.data(), n * width}, weight});
        },
        "branches"_a, "The p-value of a chi-square test of branches against classes, from counts by both.");

    nb::class_<LevelGrower>(module, "LevelGrower",
                            "Growth level by level: gather candidates, score them in Python, take the best.")
        .def(
            "__init__",
            [](LevelGrower* self, std::vector<AnyColumn> columns, Array<std::int32_t> n_categories,
               Array<std::int32_t> target, std::size_t n_classes, std::optional<Array<double>> weights,
               const Options& options, nb::object poll) {
                Kept kept(std::move(columns), std::move(n_categories), std::move(target), n_classes,
                          std::move(weights));
                std::unique_ptr<Levels> levels;
                Monitor::Poll ask = poll_of(std::move(poll));
                {
                    nb::gil_scoped_release release;
                    levels = grow_by_level(kept.problem, options, std::move(ask));
                }
                new (self) LevelGrower{std::move(kept), std::move(levels)};
            },
            "columns"_a, "n_categories"_a, "target"_a, "n_classes"_a, "weights"_a.none(), "options"_a,
            "poll"_a.none() = nb::none())
        .def_prop_ro(
            "n_open", [](const LevelGrower& self) { return self.levels->open(); }, "Nodes to be split.")
        .def(
            "gather_counts",
            [](LevelGrower& self) {
                Gathered gathered = gather(self, BranchForm::kCounts);
                const std::size_t n = gathered.n_candidates, width = gathered.width;
                const std::size_t n_branches = gathered.n_branches;
                std::vector<double> totals(
                    gathered.numbers.end() - static_cast<std::ptrdiff_t>(gathered.n_nodes * width),
                    gathered.numbers.end());
                std::vector<double> counts(
                    gathered.numbers.begin(),
                    gathered.numbers.end() - static_cast<std::ptrdiff_t>(gathered.n_nodes * width));
                nb::dict out;
                out["counts"] = give(std::move(counts), {n, n_branches, width});
                out["node"] = give(std::move(gathered.node));
                out["feature"] = give(std::move(gathered.feature));
                out["totals"] = give(std::move(totals), {gathered.n_nodes, width});
                return out;
            },
            "Branch counts by candidate, branch and class (counts), the open node (node) and the column (feature)\n"
            "of each candidate, and the class counts of each gathered node (totals).")
        .def(
            "gather_shares",
            [](LevelGrower& self) {
                Gathered gathered = gather(self, BranchForm::kShares);
                const std::size_t width = gathered.width, n = gathered.numbers.size() / width;
                return give(std::move(gathered.numbers), {n, width});
            },
            "The class shares of every branch of every candidate, then of every gathered node.")
        .def(
            "gather_minority", [](LevelGrower& self) { return give(gather(self, BranchForm::kMinority).numbers); },
            "With two classes: the smaller share of every branch of every candidate, then of every gathered node.")
        .def(
            "take",
            [](LevelGrower& self, Array<double> scores, Array<double> gains, Array<double> tolerance) {
                nb::gil_scoped_release release;
                self.levels->take(span(scores), span(gains), span(tolerance));
            },
            "scores"_a, "gains"_a, "tolerance"_a,
            "Split each gathered node at its first candidate within the node's tolerance of its best score.")
        .def(
            "take_impurities",
            [](LevelGrower& self, Array<double> impurities, double tie) {
                nb::gil_scoped_release release;
                self.levels->take_impurities(span(impurities), tie);
            },
            "impurities"_a, "tie"_a,
            "The same, by the impurities of what gather_shares or gather_minority gave; gains within `tie` of the\n"
            "node's impurity are equal.")
        .def(
            "finish", [](LevelGrower& self) { return arrays_of(self.levels->finish(), self.kept.problem.n_classes); },
            "The arrays of boxwood.tree.Tree by name.");
}

}  // namespace boxwood::bindings
