#include "discretize/chimerge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <vector>

namespace boxwood::discretize {
namespace {

constexpr double kUnit = 0x1p30;

std::int64_t to_key(double statistic) {
    return static_cast<std::int64_t>(std::min(statistic, 0x1p32) * kUnit + 0.5);
}

struct Remaining {
    std::size_t group;  // the cut after this group
    std::int64_t key;
};

// The intervals of one column: a list linked both ways over the runs, class weights beside it.
class Intervals {
  public:
    Intervals(const Runs& runs, std::size_t n_classes)
        : n_classes_(n_classes),
          next_(runs.size()),
          previous_(runs.size()),
          stamp_(runs.size(), 0),
          last_(runs.last),
          weight_(runs.size(), 0.0),
          counts_(runs.size() * n_classes, 0.0) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            next_[i] = i + 1;
            previous_[i] = i - 1;  // of 0: none, as the value wraps around
            for (const Share& share : runs.of(i, i + 1)) {
                counts_[i * n_classes + share.label] = share.weight;
                weight_[i] += share.weight;
            }
        }
    }

    std::vector<Remaining> join(const ChiMergeOptions& options, Monitor& monitor) {
        std::size_t left = last_.size();
        const std::int64_t least = to_key(options.least);
        for (std::size_t i = 0; i + 1 < last_.size(); ++i) enter(i);
        while (!pairs_.empty()) {
            const Pair pair = pairs_.top();
            if (pair.left_stamp != stamp_[pair.left] || pair.right_stamp != stamp_[next_[pair.left]]) {
                pairs_.pop();
                continue;
            }
            if (pair.key >= least && left <= options.most_intervals) break;
            pairs_.pop();
            absorb(pair.left);
            --left;
            monitor.tick(0, static_cast<std::int64_t>(n_classes_));
        }
        std::vector<Remaining> out;
        if (last_.empty()) return out;
        for (std::size_t i = 0; next_[i] < last_.size(); i = next_[i]) out.push_back({last_[i], statistic(i)});
        return out;
    }

  private:
    struct Pair {
        std::int64_t key;
        std::size_t left;
        std::uint32_t left_stamp, right_stamp;
        bool operator<(const Pair& other) const { return key != other.key ? key > other.key : left > other.left; }
    };

    std::int64_t statistic(std::size_t i) const {
        const std::size_t j = next_[i];
        const double *a = &counts_[i * n_classes_], *b = &counts_[j * n_classes_];
        const double n_a = weight_[i] / (weight_[i] + weight_[j]), n_b = weight_[j] / (weight_[i] + weight_[j]);
        double sum = 0;
        for (std::size_t k = 0; k < n_classes_; ++k) {
            if (a[k] + b[k] <= 0) continue;
            const double d = a[k] * n_b - b[k] * n_a;
            sum += d * d / (a[k] + b[k]);
        }
        return to_key(sum / (n_a * n_b));
    }
    void enter(std::size_t i) { pairs_.push({statistic(i), i, stamp_[i], stamp_[next_[i]]}); }

    void absorb(std::size_t i) {
        const std::size_t j = next_[i];
        for (std::size_t k = 0; k < n_classes_; ++k) counts_[i * n_classes_ + k] += counts_[j * n_classes_ + k];
        weight_[i] += weight_[j];
        last_[i] = last_[j];
        next_[i] = next_[j];
        ++stamp_[i];
        ++stamp_[j];  // a pair that starts with it is out of date
        if (next_[i] < last_.size()) {
            previous_[next_[i]] = i;
            enter(i);
        }
        if (previous_[i] < last_.size()) enter(previous_[i]);
    }

    std::size_t n_classes_;
    std::vector<std::size_t> next_, previous_;
    std::vector<std::uint32_t> stamp_;
    std::vector<std::size_t> last_;
    std::vector<double> weight_, counts_;
    std::priority_queue<Pair> pairs_;
};

}  // namespace

Ranking merge_alike(std::span<const Column> columns, const Labels& labels, const ChiMergeOptions& options,
                    Monitor& monitor) {
    struct Found {
        std::int64_t key;
        std::size_t feature;
        double threshold;
    };
    std::vector<Found> found;
    Ranking out;
    Team alone(1);
    group_columns(columns, labels, {}, alone, monitor, [&](std::size_t j, Groups&& groups, std::size_t) {
        out.n_cuts += groups.cuts();
        for (const Remaining& cut : Intervals(join_runs(groups), labels.n_classes).join(options, monitor)) {
            found.push_back({cut.key, j, groups.threshold(cut.group)});
        }
    });
    // Those of one column are found by threshold: a stable sort keeps that order among equals.
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        return a.key != b.key ? a.key > b.key : a.feature < b.feature;
    });
    for (const Found& cut : found) {
        out.feature.push_back(static_cast<std::int32_t>(cut.feature));
        out.threshold.push_back(cut.threshold);
        out.gain.push_back(static_cast<double>(cut.key) / kUnit);
    }
    return out;
}

}  // namespace boxwood::discretize
