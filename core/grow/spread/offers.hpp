// What one column offers at one node: its best split of the rows whose value is known.
//
// A split is worth its merit (criterion.hpp) on the known rows, times their share
// of the node's weight (Quinlan 1993, section 3.1). Candidates: every cut between
// neighbouring values of a numeric column; of a categorical one the subsets that
// search/categorical looks at, one branch per category present, or one category
// against the others. The leaf minima speak of the known rows of a branch.
//
// Scanning. Cuts are weighed by running sums (Gini and entropy), and those that
// come near the best by the judge, from exact counts; other criteria by the judge
// alone. So the offer does not depend on the order of rows of equal value. O(rows)
// per column and node, and O(classes) for each cut that is judged.
//
// Rules that may be switched on, all of them J48's:
//     mdl_gain          the gain of a numeric column pays for the choice of its cut: log2 of the number of cuts that
//                       were allowed, divided by the node's weight, is subtracted (Quinlan 1996, section 2.2); a
//                       column that is left without gain offers nothing
//     two_branches      the leaf minima bind two branches, not all: with many categories, some may be small
//     quinlan_minimum   a cut leaves at least a tenth of the known weight divided by the number of classes on either
//                       side, but no less than the minimum weight and no more than that of 25 rows
//     min_value_gap     neighbouring values nearer than this are not separated
//     weka_comparison   a cut must be better than the best before it by more than 1e-6, and the first by more than
//                       that than nothing; otherwise gains within 1e-12 of the node's impurity tie, and the lowest
//                       threshold wins. Of the categories that may stand against the rest, the one with the best gain
//                       ratio is offered, not the one with the best gain
// Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; Improved use of continuous attributes in C4.5,
// JAIR 4 (1996) 77-90.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/balances/entropy.hpp"
#include "criteria/balances/gini.hpp"
#include "grow/options.hpp"
#include "grow/place.hpp"
#include "grow/spread/members.hpp"
#include "grow/spread/table.hpp"
#include "search/categorical/search.hpp"

namespace boxwood::spread {

inline constexpr double kWekaTie = 1e-6;  // what Weka takes for equal

// A node as its searches see it.
struct Facts {
    const Members& members;
    std::span<const double> total;
    double weight = 0, impurity = 0;
    double tie = 0;  // merits nearer than this are equal
};

// A candidate that is as good as the best of its column, or nearly.
struct Near {
    std::uint32_t at = 0;  // a cut: known rows on its left; a grouping: as Found::at
    double merit = 0;
    double left = 0;  // known weight in its first branch
};

struct Offer {
    bool constant = false;   // all rows that have a value have the same, here and below
    double best = 0;         // merit of the best candidate
    std::vector<Near> near;  // in order; empty: no candidate is allowed
    double known = 0;        // weight
    double information = 0;  // of many branches: the split information; else 0
    std::int64_t n_cuts = 0, n_allowed = 0;

    bool valid() const { return !near.empty(); }
    // The first candidate that reaches a merit.
    const Near& first(double merit) const;
    // The split information of a candidate at a node of this weight; rows without the value are one more branch.
    double information_of(const Near& candidate, double weight) const;
};

// The smallest branch allowed. Weights are sums of rounded parts: what misses the minimum by rounding has it.
struct LeastBranch {
    std::int64_t rows = 1;
    double weight = 0;
    bool allows(std::int64_t branch_rows, double branch_weight) const {
        return branch_rows >= rows && branch_weight >= weight * (1 - 1e-9);
    }
};

// Searches columns; one per thread.
class OfferSearch {
  public:
    OfferSearch(const Table& table, const Growth& growth);

    Offer search(const Facts& facts, std::size_t place);
    // A candidate as a split, with all but its score.
    Split accept(const Facts& facts, std::size_t place, const Offer& offer, const Near& near);

  private:
    void search_numeric(const Facts& facts, std::size_t place, Offer& offer);
    template <bool kUnit, class Move, class Cut>
    void walk(const Facts& facts, std::size_t place, const LeastBranch& least, Offer& offer, Move move, Cut cut);
    template <bool kUnit, class Balance>
    void scan(Balance& balance, const Facts& facts, std::size_t place, const LeastBranch& least, Offer& offer);
    void judge_all(const Facts& facts, std::size_t place, const LeastBranch& least, Offer& offer);
    void judge_kept(const Facts& facts, Offer& offer);
    void search_categories(const Facts& facts, std::size_t place, Offer& offer);
    void consider(const Facts& facts, Near candidate, Offer& offer) const;
    void correct(const Facts& facts, Offer& offer) const;

    void count_known(const Facts& facts, std::size_t place);
    std::int64_t group(const Facts& facts, std::size_t feature);
    template <class Use>
    void each_grouping(Use use);
    Split accept_cut(const Facts& facts, std::size_t place, const Near& near);
    Split accept_grouping(const Facts& facts, std::size_t place, const Near& near);
    bool multiway() const { return options_.categories == CategorySplit::kMultiway; }

    // Merit of two branches, the first of which has the counts left_.
    double judge(const Facts& facts, double left_weight);
    void prepare_groups();
    void name_groups();

    const Table& table_;
    const Options& options_;
    std::size_t n_classes_;
    double row_scale_;
    LeastBranch least_;
    EntropyUnit entropy_unit_;
    EntropyWeighted entropy_;
    GiniUnit gini_unit_;
    GiniWeighted gini_;
    std::vector<double> zero_, known_, left_, right_, cells_;
    std::vector<double> kept_;  // class counts on the left of each near cut
    double known_weight_ = 0;
    Groups groups_;
    GroupSearch group_search_;
    std::vector<std::int32_t> group_of_code_;
    std::vector<std::int64_t> group_rows_;
    std::vector<std::span<const double>> group_counts_;
    std::vector<std::int32_t> codes_;
};

}  // namespace boxwood::spread
