#include "discretize/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <stdexcept>
#include <utility>

#include "discretize/gain.hpp"
#include "discretize/scan.hpp"

namespace boxwood::discretize {
namespace {

struct Ranked {
    std::int64_t key;
    std::size_t group;  // the cut after this group
};

struct RankedList {
    Groups groups;
    std::vector<Ranked> cuts;         // boundary points, best first
    std::vector<std::size_t> others;  // the other value changes, ascending
    std::size_t n_cuts = 0;
};

// Asks the MDL test about the best cut of an interval.
class Judge {
  public:
    explicit Judge(std::size_t n_classes) : left_(n_classes), right_(n_classes) {}
    bool accepts(const Runs& runs, const Interval& interval) {
        count(runs, interval.first, interval.at + 1, left_);
        count(runs, interval.at + 1, interval.end, right_);
        return is_worth_describing(left_, right_);
    }

  private:
    static void count(const Runs& runs, std::size_t first, std::size_t end, std::vector<double>& counts) {
        std::fill(counts.begin(), counts.end(), 0.0);
        for (const Share& share : runs.of(first, end)) counts[share.label] += share.weight;
    }
    std::vector<double> left_, right_;
};

template <class Meter>
std::vector<Ranked> rank_runs(const Runs& runs, std::size_t n_classes, Meter meter, const RankingOptions& options,
                              Monitor& monitor, std::size_t member) {
    Scanner<Meter> scanner(runs, n_classes, std::move(meter), Grid40(options.scale));
    Judge judge(n_classes);
    std::vector<Ranked> out;
    std::priority_queue<Interval> open;
    const auto enter = [&](std::size_t first, std::size_t end) {
        if (end - first < 2) return;
        open.push(scanner.best_cut(first, end));
        monitor.tick(member, static_cast<std::int64_t>(end - first));
    };
    enter(0, runs.size());
    while (!open.empty() && out.size() < options.limit && !monitor.stopped()) {
        const Interval best = open.top();
        open.pop();
        if (options.refusal != Refusal::kIgnored && !judge.accepts(runs, best)) {
            if (options.refusal == Refusal::kList) break;
            continue;
        }
        out.push_back({best.key, runs.last[best.at]});
        if (out.size() == options.limit) break;
        enter(best.first, best.at + 1);
        enter(best.at + 1, best.end);
    }
    return out;
}

std::vector<std::size_t> cuts_inside(const Runs& runs) {
    std::vector<std::size_t> out;
    std::size_t group = 0;
    for (const std::size_t last : runs.last) {
        for (; group < last; ++group) out.push_back(group);
        group = last + 1;
    }
    return out;
}

// What all columns share: the weight of all rows, and the table of g where weights are whole.
struct Scale {
    double total = 0;
    bool whole = true;
    EntropyTerms table;

    Scale(const Labels& labels, Criterion criterion) {
        const std::size_t n_rows = labels.target.size();
        total = labels.weights.empty() ? static_cast<double>(n_rows) : 0.0;
        for (const double w : labels.weights) {
            total += w;
            whole = whole && w == std::floor(w);
        }
        constexpr double kMostSquared = 2'000'000'000.0;  // its square is below 2^63
        whole = whole && total <= kMostSquared;
        if (criterion != Criterion::kEntropy) return;
        whole = whole && total <= 8.0 * static_cast<double>(n_rows) + 1024;  // a table of reasonable size
        if (whole) table = EntropyTerms(total);
    }
};

std::vector<Ranked> rank_column(const Runs& runs, std::size_t n_classes, const Scale& scale,
                                const RankingOptions& options, Monitor& monitor, std::size_t member) {
    if (options.criterion == Criterion::kEntropy) {
        if (scale.whole)
            return rank_runs(runs, n_classes, EntropyByTable(n_classes, scale.total, scale.table), options, monitor,
                             member);
        return rank_runs(runs, n_classes, EntropyByFormula(n_classes, scale.total), options, monitor, member);
    }
    if (scale.whole) return rank_runs(runs, n_classes, GiniWhole(n_classes, scale.total), options, monitor, member);
    return rank_runs(runs, n_classes, GiniByFormula(n_classes, scale.total), options, monitor, member);
}

Ranking merge(const std::vector<RankedList>& lists, const RankingOptions& options) {
    const Grid40 grid(options.scale);
    Ranking out;
    const auto append = [&](std::size_t feature, std::size_t group, std::int64_t key) {
        out.feature.push_back(static_cast<std::int32_t>(feature));
        out.threshold.push_back(lists[feature].groups.threshold(group));
        out.gain.push_back(grid.gain(key));
    };
    struct Head {
        std::int64_t key;
        std::size_t feature, place;
        bool operator<(const Head& other) const { return key != other.key ? key < other.key : feature > other.feature; }
    };
    std::priority_queue<Head> heads;
    for (std::size_t j = 0; j < lists.size(); ++j) {
        if (!lists[j].cuts.empty()) heads.push({lists[j].cuts[0].key, j, 0});
    }
    while (!heads.empty() && out.feature.size() < options.limit) {
        const Head head = heads.top();
        heads.pop();
        const std::vector<Ranked>& cuts = lists[head.feature].cuts;
        append(head.feature, cuts[head.place].group, head.key);
        const std::size_t next = head.place + 1;
        if (next < cuts.size()) heads.push({cuts[next].key, head.feature, next});
    }
    for (std::size_t j = 0; j < lists.size(); ++j) {
        for (const std::size_t group : lists[j].others) {
            if (out.feature.size() >= options.limit) return out;
            append(j, group, 0);
        }
    }
    return out;
}

}  // namespace

Ranking rank_thresholds(std::span<const Column> columns, const Labels& labels, const RankingOptions& options,
                        Monitor& monitor) {
    const Scale scale(labels, options.criterion);
    std::vector<RankedList> lists(columns.size());
    Team team(std::min(options.n_threads, std::max<std::size_t>(1, columns.size())));
    GroupOptions grouping;
    if (options.hasty) {
        // What a stop loses is the columns that are being counted, or the rows that are being sorted.
        constexpr std::size_t kCellsAtOnce = 4'000'000, kRowsAtOnce = 100'000;
        const std::size_t few = kCellsAtOnce / std::max<std::size_t>(1, labels.target.size());
        grouping.columns_together = std::clamp<std::size_t>(few, team.size(), kColumnsTogether);
        grouping.rows_together = kRowsAtOnce;
    }
    group_columns(columns, labels, grouping, team, monitor, [&](std::size_t j, Groups&& groups, std::size_t member) {
        RankedList& list = lists[j];
        list.groups = std::move(groups);
        list.n_cuts = list.groups.cuts();
        const Runs runs = join_runs(list.groups);
        list.cuts = rank_column(runs, labels.n_classes, scale, options, monitor, member);
        if (options.others && list.cuts.size() < options.limit) list.others = cuts_inside(runs);
        // The classes are not needed any more.
        list.groups.shares = {};
        list.groups.start = {};
    });
    const bool stopped = monitor.stopped();
    if (stopped) {
        for (RankedList& list : lists) list.others.clear();
    }
    Ranking out = merge(lists, options);
    for (const RankedList& list : lists) out.n_cuts += list.n_cuts;
    out.stopped = stopped;
    return out;
}

bool is_worth_describing(std::span<const double> left, std::span<const double> right) {
    struct Part {
        double weight = 0, entropy = 0, classes = 0;
    };
    const auto part = [](std::span<const double> counts) {
        Part out;
        for (const double c : counts) {
            out.weight += c;
            out.classes += c > 0;
        }
        out.entropy = impurity(Measure{Criterion::kEntropy}, counts, out.weight);
        return out;
    };
    std::vector<double> both(left.begin(), left.end());
    for (std::size_t k = 0; k < both.size(); ++k) both[k] += right[k];
    const Part l = part(left), r = part(right), p = part(both);
    const double gain = p.entropy - l.weight / p.weight * l.entropy - r.weight / p.weight * r.entropy;
    // log2(3^k - 2), also where 3^k is too large for a number.
    const double labellings = p.classes * std::log2(3.0) + std::log2(1 - 2 * std::pow(3.0, -p.classes));
    const double change = labellings - (p.classes * p.entropy - l.classes * l.entropy - r.classes * r.entropy);
    return gain > (std::log2(std::max(p.weight - 1, 1.0)) + change) / p.weight;
}

}  // namespace boxwood::discretize
