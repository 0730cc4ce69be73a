#include "optimal/solve.hpp"

#include <algorithm>
#include <stdexcept>

#include "optimal/greedy.hpp"
#include "threads/team.hpp"

namespace boxwood::optimal {
namespace {

// The best tree so far, and the lower bound; several threads may offer.
class Incumbent {
  public:
    Incumbent(const Problem& problem, const Limits& limits, const Run& run, Control& control)
        : problem_(problem), limits_(limits), run_(run), control_(control) {}

    void offer(Sketch&& tree) {
        const Cost value = evaluate(problem_, limits_, tree);
        std::lock_guard lock(mutex_);
        if (value >= value_) return;
        value_ = value;
        tree_ = std::move(tree);
        note();
    }
    // What no tree goes below.
    void raise(Cost lower) {
        std::lock_guard lock(mutex_);
        if (lower <= lower_) return;
        lower_ = std::min(lower, value_);
        if (run_.report) run_.report(now());
        if (lower_ < value_ && value_ - lower_ <= run_.max_gap) control_.stop(Status::kGap);
    }
    Cost value() {
        std::lock_guard lock(mutex_);
        return value_;
    }
    void hand_over(Outcome& out) {
        std::lock_guard lock(mutex_);
        out.tree = tree_;
        out.objective = value_;
        out.lower = std::min(lower_, value_);
        out.trace = trace_;
    }

  private:
    Improvement now() const { return {control_.elapsed(), value_, std::min(lower_, value_)}; }
    void note() {
        trace_.push_back(now());
        if (run_.report) run_.report(trace_.back());
        if (lower_ < value_ && value_ - lower_ <= run_.max_gap) control_.stop(Status::kGap);
    }

    const Problem& problem_;
    const Limits& limits_;
    const Run& run_;
    Control& control_;
    std::mutex mutex_;
    Cost value_ = kInfinite, lower_ = 0;
    Sketch tree_;
    std::vector<Improvement> trace_;
};

// What is there besides kernels and table; what the making of the rows has taken is not counted on to come back.
std::size_t bytes_of(const Rows& rows, const Problem& problem) {
    std::size_t bytes = Rows::setup_bytes(problem) + rows.columns.size() * sizeof(Word);
    for (const Slice& slice : rows.slices) bytes += slice.mask.size() * sizeof(Word);
    // Siblings of the nodes on one path, two children for each feature.
    return bytes + 4 * rows.n_features * (rows.n_words * sizeof(Word) + sizeof(Solved));
}

// Bytes for tables of pairs that are handed on. Of those of the run before, some are still held beside them.
std::size_t room_to_keep(const Run& run) {
    if (!run.keep) return 0;
    return run.memory_limit > 0 ? run.memory_limit / 8 : std::size_t{256} << 20;
}

Choice choice_of(const Tactics& tactics) {
    return {tactics.deepest, tactics.look_ahead};
}

// Depth of the kernels, number of threads and size of the table that the memory allows; false if it is too small
// for any. Where the kernels of all threads do not fit, there are fewer threads: the depth may decide between trees
// that are as good, and so it must be the same for any number of them.
// For the same reason the table of parts of an earlier run comes last: it is `past` if there is room for it too.
bool fit(const Problem& problem, const Rows& rows, const Limits& limits, const Run& run, Tactics& tactics,
         std::size_t& n_threads, std::shared_ptr<const Table>& past) {
    const Functions& functions = functions_of(tactics.machine);
    // Without a limit, a kernel may have a gigabyte.
    const std::size_t limit = run.memory_limit > 0 ? run.memory_limit : (std::size_t{1} << 30) + tactics.table_bytes;
    const std::size_t base = bytes_of(rows, problem) + (run.memory_limit > 0 ? 2 * room_to_keep(run) : 0);
    if (base >= limit) return false;
    const std::size_t rest = limit - base;
    const auto kernel = [&] { return Kernel::memory(rows, tactics.deepest, functions) * 5 / 4; };
    while (tactics.deepest > 1 && kernel() > rest / 4 * 3) --tactics.deepest;
    n_threads = std::clamp<std::size_t>(rest / 4 * 3 / std::max<std::size_t>(1, kernel()), 1, run.n_threads);
    if (kernel() * n_threads >= rest) return false;
    std::size_t left = rest - kernel() * n_threads;
    if (run.past) past = run.past->parts(rows, limits, choice_of(tactics), left / 2);
    if (past && run.memory_limit > 0) left -= past->bytes();
    // The next run has a table of its own beside one that is kept.
    tactics.table_bytes = std::min(tactics.table_bytes, run.keep && run.memory_limit > 0 ? left / 2 : left);
    return true;
}

class Solver {
  public:
    Solver(const Rows& rows, const Limits& limits, std::size_t n_threads, const Tactics& tactics, Control& control,
           Incumbent& incumbent, Kept* kept, const Table* past, std::size_t past_features)
        : rows_(rows),
          limits_(limits),
          tactics_(tactics),
          control_(control),
          incumbent_(incumbent),
          team_(n_threads),
          board_(control),
          table_(std::make_shared<Table>(tactics.table ? tactics.table_bytes : 0, team_.size() > 1)),
          all_(rows.all()) {
        for (std::size_t member = 0; member < team_.size(); ++member) {
            searches_.push_back(std::make_unique<Search>(rows_, limits_, tactics_, control_, *table_, member));
            searches_.back()->share(kept);
            searches_.back()->look_back(past, past_features);
            if (team_.size() > 1) searches_.back()->join(board_, searches_);
        }
        const std::int64_t most = std::min<std::int64_t>(limits_.max_leaves, kFree);
        task_ = reduced(limits_.max_depth, most > 0 ? static_cast<std::int32_t>(most) : kFree);
    }

    // The caller does what is to be done; the others help it where there is a loop to share.
    void run() {
        bool begun = false;
        team_.each(team_.size(), [&](std::size_t, std::size_t member) {
            if (member != 0) return board_.serve(member);
            if (begun) return;  // the others were late, and their turns are left
            begun = true;
            try {
                go_through_phases();
            } catch (...) {
                board_.close();
                throw;
            }
            board_.close();
        });
    }

    // The tree that the rule chooses, if the run came to its end.
    Sketch chosen;

    void count(Outcome& out) const {
        for (const auto& search : searches_) {
            const Counters counters = search->counters();
            out.counters.nodes += counters.nodes;
            out.counters.kernels += counters.kernels;
            out.counters.hits += counters.hits;
            out.counters.skipped += counters.skipped;
            out.counters.inherited += counters.inherited;
        }
        out.table_bytes = tactics_.table ? table_->bytes() : 0;
        out.deepest = tactics_.deepest;
    }

    std::shared_ptr<const Table> table() const { return table_; }

  private:
    void go_through_phases() {
        Search& search = *searches_[0];
        const Cost leaf = search.leaf_value(all_);
        incumbent_.raise(rows_.offset + std::min(leaf, search.floor_value(all_) + limits_.leaf_cost));
        if (task_.depth > tactics_.deepest) {
            if (tactics_.probes) probe();
            prove();
        }
        if (control_.stopped()) return;
        if (auto tree = search.rebuild(all_, task_.depth, task_.leaves)) {
            const Bounds bounds = search.solve(all_, task_.depth, task_.leaves, kInfinite);
            finish(std::move(*tree), bounds.lower);
        }
    }

    void finish(Sketch&& tree, Cost optimum) {
        chosen = tree;
        incumbent_.offer(std::move(tree));
        incumbent_.raise(rows_.offset + optimum);
    }

    // Phases 1 and 2.
    void probe() {
        Search& search = *searches_[0];
        const Cost floor = rows_.offset + search.floor_value(all_) + limits_.leaf_cost;
        for (int discrepancies = 0; discrepancies <= kMostDiscrepancies;
             discrepancies = std::max(1, 2 * discrepancies)) {
            const Cost before = incumbent_.value();
            if (before <= floor) return;
            const Search::Probe found =
                search.probe(all_, task_.depth, task_.leaves, discrepancies, before - rows_.offset);
            if (found.plan && found.value + rows_.offset < before) {
                if (auto tree = search.rebuild(all_, *found.plan)) incumbent_.offer(std::move(*tree));
            }
            if (control_.stopped()) return;
            // One level above the kernels the proof looks at whole trees anyway; higher up, go on while it pays.
            if (task_.depth == tactics_.deepest + 1) return;
            if (discrepancies >= kFewDiscrepancies && incumbent_.value() == before) return;
        }
    }

    // Phase 3: that no tree costs less than a part of the best one, then that none costs less than it.
    void prove() {
        Search& search = *searches_[0];
        const Cost leaf = search.leaf_value(all_);
        Cost lower = std::min(leaf, search.floor_value(all_) + limits_.leaf_cost);
        if (lower == leaf) return;
        for (const int share : {4, 2, 1}) {
            if (share > 1 && (!tactics_.steps || task_.depth <= tactics_.deepest + 1)) continue;
            // The incumbent is there: the optimum is below its cost plus one.
            const Cost known = incumbent_.value() - rows_.offset;
            const Cost target = share == 1 ? known + 1 : known / share;
            if (target <= lower) continue;
            if (!prove(target, lower)) return;
            lower = target;
        }
    }

    // At the root the splits are shared out; true if the optimum is shown to be `target` at least.
    bool prove(Cost target, Cost lower) {
        Search& search = *searches_[0];
        const Cost leaf = search.leaf_value(all_);
        const auto node = search.open(all_, task_, target, lower);
        search.each(task_.depth, node->order.size(), [&](Search& who, std::size_t place) {
            if (who.look()) return;
            if (who.try_split(*node, place)) offer_split(who, *node, place);
            Cost bound = leaf;
            {
                std::lock_guard lock(node->mutex);
                for (const Cost one : node->bound) bound = std::min(bound, one);
            }
            incumbent_.raise(rows_.offset + bound);
        });
        if (control_.stopped()) return false;
        return !search.close(*node).exact();
    }

    void offer_split(Search& search, Search::Open& node, std::size_t place) {
        const Search::Open::Best best = node.current();
        if (best.place != static_cast<std::ptrdiff_t>(place) || best.value + rows_.offset >= incumbent_.value()) return;
        const std::int32_t left = best.left_leaves;
        const std::int32_t right = task_.leaves == kFree ? kFree : task_.leaves - left;
        const Plan plan{node.order[place], 0, 0,
                        std::make_shared<const Plan>(Plan{-1, task_.depth - 1, left, nullptr, nullptr}),
                        std::make_shared<const Plan>(Plan{-1, task_.depth - 1, right, nullptr, nullptr})};
        if (auto tree = search.rebuild(all_, plan)) incumbent_.offer(std::move(*tree));
    }

    static constexpr int kFewDiscrepancies = 8, kMostDiscrepancies = 16;

    const Rows& rows_;
    const Limits& limits_;
    const Tactics& tactics_;
    Control& control_;
    Incumbent& incumbent_;
    Team team_;
    Board board_;
    std::shared_ptr<Table> table_;
    Part all_;
    Task task_{};
    std::vector<std::unique_ptr<Search>> searches_;
};

}  // namespace

Outcome solve(const Problem& problem, const Limits& given, const Run& run, const Tactics& asked, Monitor& monitor) {
    Control control(monitor, run.time_limit, run.n_nodes);
    check(problem, given);
    Limits limits = given;
    Tactics tactics = asked;
    Outcome out;
    Incumbent incumbent(problem, given, run, control);
    const auto offer_leaf = [&] {
        Limits none = given;
        none.max_depth = 0;
        Control patient(monitor, -1);
        incumbent.offer(grow_plainly(problem, none, patient));
    };
    if (run.memory_limit > 0 && Rows::setup_bytes(problem) > run.memory_limit) {
        offer_leaf();
        incumbent.offer(grow_plainly(problem, given, control));
        if (!run.initial.empty()) incumbent.offer(Sketch(run.initial));
        incumbent.hand_over(out);
        out.status = out.lower < out.objective ? Status::kMemoryLimit : Status::kOptimal;
        out.seconds = control.elapsed();
        return out;
    }
    // Merged rows are other rows when a feature comes that tells them apart.
    // The greedy tree is due whatever the clock says, but not at any price.
    Control first(monitor, run.time_limit < 0 ? -1 : run.time_limit + kGrace);
    const Rows rows(problem, limits, {tactics.merge && !run.keep, &first});
    if (rows.unfinished) {
        control.look(0);
        control.stop(first.why());
        offer_leaf();
        if (!run.initial.empty()) incumbent.offer(Sketch(run.initial));
        if (run.past) incumbent.offer(Sketch(run.past->tree));
        incumbent.hand_over(out);
        out.status = out.lower < out.objective ? control.why() : Status::kOptimal;
        out.seconds = control.elapsed();
        return out;
    }
    // A path tests no feature twice; so many levels suffice, and no array need be longer.
    limits.max_depth = static_cast<int>(
        std::min<std::size_t>({static_cast<std::size_t>(limits.max_depth), rows.n_features, problem.n_rows - 1}));
    out.n_rows = rows.n_rows;
    out.n_features = rows.n_features;
    incumbent.offer({Node{-1, -1, -1, rows.answer(rows.all())}});
    incumbent.offer(grow_greedily(rows, limits, first));
    if (!run.initial.empty()) incumbent.offer(Sketch(run.initial));
    if (run.past) incumbent.offer(Sketch(run.past->tree));
    // Appended features that only repeat others change nothing.
    const bool unchanged = run.past && run.past->optimum < kInfinite && run.past->same_problem(rows, given);
    if (unchanged) incumbent.raise(run.past->optimum);
    const double ready = control.elapsed();
    Sketch chosen;
    std::size_t n_threads = 1;
    std::shared_ptr<const Table> past;
    std::shared_ptr<Kept> kept;
    if (run.keep) kept = std::make_shared<Kept>(rows, given, room_to_keep(run), run.past.get());
    const bool fits = fit(problem, rows, given, run, tactics, n_threads, past);
    if (unchanged && (!fits || run.past->choice() == choice_of(tactics))) {
        chosen = run.past->tree;
    } else if (!fits) {
        control.stop(Status::kMemoryLimit);
    } else if (!control.look(0)) {
        Solver solver(rows, limits, n_threads, tactics, control, incumbent, kept.get(), past.get(),
                      past ? run.past->n_features() : 0);
        solver.run();
        solver.count(out);
        chosen = std::move(solver.chosen);
        if (kept) kept->hand_on(solver.table(), choice_of(tactics));
    }
    incumbent.hand_over(out);
    out.seconds = control.elapsed();
    out.search_seconds = out.seconds - ready;
    out.status = control.stopped() && out.lower < out.objective ? control.why() : Status::kOptimal;
    if (out.lower < out.objective && out.status == Status::kOptimal) {
        throw std::logic_error("the search ended with a gap");
    }
    if (!chosen.empty()) {
        if (evaluate(problem, given, chosen) != out.objective)
            throw std::logic_error("the tree is not the optimal one");
        out.tree = std::move(chosen);
    }
    if (kept) {
        kept->tree = out.tree;
        if (out.status == Status::kOptimal) kept->optimum = out.objective;
        out.kept = std::move(kept);
    }
    return out;
}

}  // namespace boxwood::optimal
