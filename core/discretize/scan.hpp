// The best cut of an interval of runs.
//
// A short interval is walked from end to end. A long one must not be: where the
// best cut is near an end, over and over (classes that alternate, say), walking
// what is left each time is quadratic. So the class weights left of every mark,
// each so many runs, are summed up once for the column, and an interval is
// searched by halves: no cut between two marks can gain more than the bound
// that the class weights at the two marks allow (discretize/gain.hpp), and a
// stretch whose bound is below the best gain known is skipped; otherwise it is
// halved, and walked when it lies between neighbouring marks.
//
// The first of equal cuts wins. Stretches are searched from left to right, so a
// cut must beat the best one so far; but the search starts with a gain to
// reach, that of the best of some cuts looked at beforehand (both ends, and a
// few marks in between), and a cut that only reaches it counts. The one that
// set the goal is met at the latest.
//
// For alternating classes a search looks at about sqrt(B) stretches instead of
// B cuts. In noise most intervals are short and the marks idle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "discretize/gain.hpp"
#include "discretize/groups.hpp"

namespace boxwood::discretize {

// An interval of runs [first, end) with its best cut, the one after run `at`.
struct Interval {
    std::int64_t key;
    std::size_t at, first, end;
    // The heap's order: a larger gain, then a lower threshold, comes out first.
    bool operator<(const Interval& other) const { return key != other.key ? key < other.key : at > other.at; }
};

template <class Meter>
class Scanner {
  public:
    Scanner(const Runs& runs, std::size_t n_classes, Meter meter, Grid40 grid)
        : runs_(runs),
          n_classes_(n_classes),
          step_(std::max<std::size_t>(64, 4 * n_classes)),
          meter_(std::move(meter)),
          grid_(grid),
          node_(n_classes),
          base_(n_classes),
          low_(n_classes),
          high_(n_classes) {
        if (runs.size() < kFewSteps * step_) return;
        marks_.assign((runs.size() / step_ + 1) * n_classes, 0.0);
        for (std::size_t mark = 1; mark * step_ <= runs.size(); ++mark) {
            double* counts = &marks_[mark * n_classes];
            std::copy_n(counts - n_classes, n_classes, counts);
            for (const Share& share : runs.of((mark - 1) * step_, mark * step_)) counts[share.label] += share.weight;
        }
    }

    // There must be at least two runs.
    Interval best_cut(std::size_t first, std::size_t end) {
        best_ = {-1, first, first, end};
        least_ = std::numeric_limits<std::int64_t>::min();
        if (end - first < kFewSteps * step_) {
            meter_.clear();
            for (const Share& share : runs_.of(first, end)) meter_.add(share.label, share.weight);
            meter_.ready();
            walk(first, end - 1);
        } else {
            search(first, end);
        }
        return best_;
    }

  private:
    static constexpr std::size_t kFewSteps = 6;
    static constexpr std::size_t kLooks = 16;  // marks looked at beforehand

    // The cuts after the runs [run, stop); the meter stands before `run`.
    void walk(std::size_t run, std::size_t stop) {
        for (; run < stop; ++run) {
            for (std::size_t i = runs_.start[run]; i < runs_.start[run + 1]; ++i) {
                meter_.move(runs_.shares[i].label, runs_.shares[i].weight);
            }
            const std::int64_t fine = meter_.fine();
            if (fine < least_) continue;
            best_.key = grid_.key(fine);
            best_.at = run;
            least_ = grid_.above(best_.key);
        }
    }

    void search(std::size_t first, std::size_t end) {
        const std::size_t from = (first + step_) / step_, to = (end - 1) / step_;  // marks inside
        count_before(first, base_);
        count_before(end, node_);
        for (std::size_t k = 0; k < n_classes_; ++k) node_[k] -= base_[k];
        // The goal: the ends, and some marks in between.
        stand_before(first);
        walk(first, from * step_);
        stand_before(to * step_);
        walk(to * step_, end - 1);
        for (std::size_t look = 1; look <= kLooks; ++look) {
            const std::size_t mark = from + (to - from) * look / (kLooks + 1);
            stand_before(mark * step_);
            const std::int64_t fine = meter_.fine();
            if (fine >= least_) least_ = grid_.above(best_.key = grid_.key(fine));
        }
        const std::int64_t goal = best_.key;
        best_.key = -1;
        least_ = goal > 0 ? grid_.above(goal - 1) : std::numeric_limits<std::int64_t>::min();
        stand_before(first);
        walk(first, from * step_);
        between(from, to);
        stretch(to * step_, end - 1);
    }

    // The cuts after the mark `from` up to the mark `to`.
    void between(std::size_t from, std::size_t to) {
        if (from == to) return;
        left_of_mark(from, low_);
        left_of_mark(to, high_);
        if (meter_.bound(node_, low_, high_) < static_cast<double>(least_)) return;
        if (to - from == 1) return stretch(from * step_, to * step_);
        const std::size_t middle = from + (to - from) / 2;
        between(from, middle);
        between(middle, to);
    }

    void stretch(std::size_t run, std::size_t stop) {
        if (run >= stop) return;
        stand_before(run);
        walk(run, stop);
    }

    void left_of_mark(std::size_t mark, std::vector<double>& out) const {
        const double* counts = &marks_[mark * n_classes_];
        for (std::size_t k = 0; k < n_classes_; ++k) out[k] = counts[k] - base_[k];
    }
    void count_before(std::size_t run, std::vector<double>& out) const {
        const std::size_t mark = run / step_;
        std::copy_n(&marks_[mark * n_classes_], n_classes_, out.begin());
        for (const Share& share : runs_.of(mark * step_, run)) out[share.label] += share.weight;
    }
    // All that lies left of a run is moved.
    void stand_before(std::size_t run) {
        count_before(run, low_);
        meter_.clear();
        for (std::size_t k = 0; k < n_classes_; ++k) {
            if (node_[k] > 0) meter_.add(static_cast<std::uint32_t>(k), node_[k]);
        }
        meter_.ready();
        for (std::size_t k = 0; k < n_classes_; ++k) {
            const double left = low_[k] - base_[k];
            if (left > 0) meter_.move(static_cast<std::uint32_t>(k), left);
        }
    }

    const Runs& runs_;
    std::size_t n_classes_, step_;
    Meter meter_;
    Grid40 grid_;
    std::vector<double> marks_;  // class weights before every step_-th run
    std::vector<double> node_, base_, low_, high_;
    Interval best_{};
    std::int64_t least_ = 0;
};

}  // namespace boxwood::discretize
