#include "tree/router.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace boxwood {
namespace {

constexpr std::size_t kBlock = 256;  // rows that walk side by side
constexpr std::size_t kGroup = 8;    // of these, in step
constexpr int kDive = 12;            // levels that they go down in the first pass
constexpr int kLevels = 4;           // and in every other
constexpr std::int32_t kAbsent = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

// What stands for the place of a row that is spread there, below all that stands for a node or a refusal.
constexpr std::int32_t spread_at(std::int32_t place) {
    return std::numeric_limits<std::int32_t>::min() + place;
}
constexpr bool is_spread(std::int32_t mark) {
    return mark < std::numeric_limits<std::int32_t>::min() / 2;
}
constexpr std::int32_t place_of_spread(std::int32_t mark) {
    return mark - std::numeric_limits<std::int32_t>::min();
}

[[noreturn]] void refuse(std::size_t node, const std::string& what) {
    throw std::invalid_argument("node " + std::to_string(node) + ": " + what);
}

}  // namespace

void Router::check(const TreeView& tree) const {
    const std::size_t n = tree.kind.size();
    if (n == 0) throw std::invalid_argument("a tree has at least one node");
    if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() / 2)) {
        throw std::invalid_argument("a tree has at most 1,073,741,823 nodes");
    }
    const auto same = [n](std::size_t size) { return size == n; };
    if (!same(tree.feature.size()) || !same(tree.threshold.size()) || !same(tree.first_child.size()) ||
        !same(tree.n_children.size()) || !same(tree.missing_branch.size()) || !same(tree.unknown_branch.size()) ||
        (!tree.weight.empty() && !same(tree.weight.size())) || tree.category_offset.size() != n + 1 ||
        tree.category_code.size() != tree.category_branch.size()) {
        throw std::invalid_argument("the node arrays differ in length");
    }
    const auto n_codes = static_cast<std::int64_t>(tree.category_code.size());
    if (tree.category_offset[0] != 0 || tree.category_offset[n] != n_codes) {
        throw std::invalid_argument("category_offset does not span category_code");
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t begin = tree.category_offset[i], end = tree.category_offset[i + 1];
        if (begin > end || begin < 0 || end > n_codes) refuse(i, "category_offset is out of order");
        const int kind = tree.kind[i];
        if (kind == static_cast<int>(Kind::kLeaf)) {
            if (tree.n_children[i] != 0) refuse(i, "a leaf has children");
            continue;
        }
        if (kind < 0 || kind > static_cast<int>(Kind::kIsMissing)) refuse(i, "unknown kind of split");
        const std::int64_t first = tree.first_child[i], children = tree.n_children[i];
        // Children have higher ids than their parent: no walk can go round in a circle.
        if (children < 2 || first <= static_cast<std::int64_t>(i) || first + children > static_cast<std::int64_t>(n)) {
            refuse(i, "its children are out of range");
        }
        const std::int64_t feature = tree.feature[i];
        if (feature < 0 || feature >= static_cast<std::int64_t>(tree.n_categories.size())) {
            refuse(i, "its feature is out of range");
        }
        const std::int32_t categories = tree.n_categories[static_cast<std::size_t>(feature)];
        const std::int32_t missing = tree.missing_branch[i], unknown = tree.unknown_branch[i];
        if (missing < kSpread || missing == kError || missing >= children || unknown < kSpread || unknown >= children) {
            refuse(i, "its missing or unknown branch is out of range");
        }
        const bool threshold = kind == static_cast<int>(Kind::kThreshold);
        const bool listed = kind == static_cast<int>(Kind::kSubset) || kind == static_cast<int>(Kind::kMultiway);
        if (threshold && std::isnan(tree.threshold[i])) refuse(i, "its threshold is not a number");
        if (threshold && categories != 0) refuse(i, "a threshold on a categorical column");
        if (listed && categories == 0) refuse(i, "categories on a numeric column");
        if (!listed && begin != end) refuse(i, "categories without a categorical split");
        for (std::int64_t k = begin; k < end; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const std::int32_t code = tree.category_code[at], branch = tree.category_branch[at];
            if (code < 0 || code >= categories) refuse(i, "a category is out of range");
            if (k > begin && tree.category_code[at - 1] >= code) refuse(i, "categories are not in order");
            if (branch < 0 || branch >= children) refuse(i, "a category's branch is out of range");
        }
    }
}

// Where each node stands in the walk's own array: children side by side, and the children of a node soon after
// it, those of the larger subtree first. A walk down then mostly stays near, in the cache, which numbers by level
// would not give it.
std::vector<std::int32_t> Router::lay_out(const TreeView& tree) {
    const std::size_t n = tree.kind.size();
    std::vector<std::int32_t> size(n, 1), place(n);
    for (std::size_t i = n; i-- > 0;) {
        for (std::int32_t branch = 0; branch < tree.n_children[i]; ++branch) {
            size[i] += size[static_cast<std::size_t>(tree.first_child[i] + branch)];
        }
    }
    std::vector<std::int32_t> open{0}, children;
    std::int32_t next = 1;
    while (!open.empty()) {
        const auto node = static_cast<std::size_t>(open.back());
        open.pop_back();
        children.clear();
        for (std::int32_t branch = 0; branch < tree.n_children[node]; ++branch) {
            const std::int32_t child = tree.first_child[node] + branch;
            place[static_cast<std::size_t>(child)] = next++;
            children.push_back(child);
        }
        std::stable_sort(children.begin(), children.end(), [&](std::int32_t a, std::int32_t b) {
            return size[static_cast<std::size_t>(a)] < size[static_cast<std::size_t>(b)];
        });
        open.insert(open.end(), children.begin(), children.end());
    }
    return place;
}

// Each node's share of its family's weight, which is what a row that is spread is divided by.
void Router::weigh_branches(const TreeView& tree, std::span<const std::int32_t> place) {
    share_.assign(tree.kind.size(), 1.0);
    for (std::size_t i = 0; i < tree.kind.size(); ++i) {
        if (tree.kind[i] == 0 || (tree.missing_branch[i] != kSpread && tree.unknown_branch[i] != kSpread)) continue;
        if (tree.weight.empty()) refuse(i, "rows are spread over branches that have no weight");
        const std::span<const double> family = tree.weight.subspan(static_cast<std::size_t>(tree.first_child[i]),
                                                                   static_cast<std::size_t>(tree.n_children[i]));
        double total = 0;
        for (const double weight : family) total += weight;
        for (std::size_t branch = 0; branch < family.size(); ++branch) {
            if (!(family[branch] > 0) || !std::isfinite(total))
                refuse(i, "rows are spread over branches without weight");
            const auto child = static_cast<std::size_t>(tree.first_child[i]) + branch;
            share_[static_cast<std::size_t>(place[child])] = family[branch] / total;
        }
    }
}

// Makes an inner node plain or special.
void Router::compile(const TreeView& tree, std::size_t i, std::int32_t place, std::int32_t first_child) {
    const auto here = static_cast<std::size_t>(place);
    const auto kind = static_cast<Kind>(tree.kind[i]);
    const std::int32_t missing = tree.missing_branch[i];
    const Surrogates::Range surrogates = surrogates_.of(i);
    if (kind == Kind::kThreshold) {
        const bool plain = (missing == 0 || missing == 1) && surrogates.empty();
        if (!plain && finite_.empty()) finite_ = plain_;  // what came before is the same in both
        const Plain node{tree.threshold[i], tree.feature[i], first_child * 2 + (plain ? missing : 0)};
        if (!finite_.empty()) finite_[here] = node;
        if (plain) {
            plain_[here] = node;
            return;
        }
    }
    Special node{kind,
                 tree.feature[i],
                 tree.threshold[i],
                 first_child,
                 tree.n_children[i],
                 missing,
                 tree.unknown_branch[i],
                 tree.category_offset[i],
                 tree.category_offset[i + 1],
                 false,
                 surrogates};
    const std::int32_t categories = n_categories_[static_cast<std::size_t>(node.feature)];
    const std::int64_t listed = node.end - node.begin;
    if (listed > 0 && categories <= 4 * listed + 64) {
        const auto base = static_cast<std::int64_t>(table_.size());
        table_.resize(table_.size() + static_cast<std::size_t>(categories), kAbsent);
        for (std::int64_t k = node.begin; k < node.end; ++k) {
            const auto at = static_cast<std::size_t>(k);
            table_[static_cast<std::size_t>(base + codes_[at])] = branches_[at];
        }
        node.begin = base;
        node.end = base + categories;
        node.dense = true;
    }
    special_of_[here] = static_cast<std::int32_t>(special_.size());
    special_.push_back(node);
}

Router::Router(const TreeView& tree) : n_categories_(tree.n_categories.begin(), tree.n_categories.end()) {
    check(tree);
    surrogates_ = Surrogates(tree.surrogates, tree.kind, tree.feature, n_categories_);
    const std::size_t n = tree.kind.size();
    std::vector<int> depth(n, 0);
    bool spreads = false;
    for (std::size_t i = 0; i < n; ++i) {
        depth_ = std::max(depth_, depth[i]);
        for (std::int32_t branch = 0; branch < tree.n_children[i]; ++branch) {
            depth[static_cast<std::size_t>(tree.first_child[i] + branch)] = depth[i] + 1;
        }
        if (tree.n_children[i] > 0) {
            spreads = spreads || tree.missing_branch[i] == kSpread || tree.unknown_branch[i] == kSpread;
        }
    }
    codes_.assign(tree.category_code.begin(), tree.category_code.end());
    branches_.assign(tree.category_branch.begin(), tree.category_branch.end());
    id_.resize(n);
    special_of_.assign(n, -1);
    const std::vector<std::int32_t> place = lay_out(tree);
    // What a resting row reads: the first column of numbers, or the one that apply() adds.
    const auto numeric = std::find(n_categories_.begin(), n_categories_.end(), 0);
    const auto resting = static_cast<std::int32_t>(numeric - n_categories_.begin());
    plain_.resize(n);
    for (std::size_t here = 0; here < n; ++here) {
        plain_[here] = {std::numeric_limits<double>::infinity(), resting, static_cast<std::int32_t>(here) * 2};
    }
    for (std::size_t i = 0; i < n; ++i) {
        id_[static_cast<std::size_t>(place[i])] = static_cast<std::int32_t>(i);
        if (tree.n_children[i] == 0) continue;
        compile(tree, i, place[i], place[static_cast<std::size_t>(tree.first_child[i])]);
    }
    if (special_.empty()) special_of_.clear();
    if (spreads) weigh_branches(tree, place);
}

std::vector<std::int32_t> Router::places() const {
    std::vector<std::int32_t> place(id_.size());
    for (std::size_t here = 0; here < id_.size(); ++here) {
        place[static_cast<std::size_t>(id_[here])] = static_cast<std::int32_t>(here);
    }
    return place;
}

// The branch of a category at a node that lists categories.
std::int32_t Router::branch_of(const Special& node, std::int32_t code) const {
    if (node.dense) {
        const std::int64_t at = node.begin + code;
        return code >= 0 && at < node.end ? table_[static_cast<std::size_t>(at)] : kAbsent;
    }
    const auto begin = codes_.begin() + node.begin, end = codes_.begin() + node.end;
    const auto found = std::lower_bound(begin, end, code);
    return found != end && *found == code ? branches_[static_cast<std::size_t>(found - codes_.begin())] : kAbsent;
}

std::int32_t Router::step(const Special& node, std::span<const Column> all, std::size_t row) const {
    const Column& column = all[static_cast<std::size_t>(node.feature)];
    std::int32_t lost = node.missing_branch;
    if (!column.categorical) {
        const double x = column.number(row);
        if (node.kind == Kind::kIsMissing) return std::isnan(x) ? 0 : 1;
        if (!std::isnan(x)) return x <= node.threshold ? 0 : 1;
    } else {
        const std::int32_t code = column.code(row);
        if (node.kind == Kind::kIsMissing) return code == kMissing ? 0 : code < 0 ? node.unknown_branch : 1;
        if (code != kMissing) {
            const std::int32_t branch = branch_of(node, code);
            if (branch != kAbsent) return branch;
            lost = node.unknown_branch;
            if (lost < 0) return lost;
        }
    }
    if (node.surrogates.empty()) return lost;
    const std::int32_t branch = surrogates_.branch(node.surrogates, all, row);
    return branch == kStop ? lost : branch;
}

// Cells of a table in C order.
struct Router::RowMajor {
    using Row = const double*;
    const std::byte* origin;
    std::ptrdiff_t row_stride;
    Row row(std::size_t i) const { return reinterpret_cast<Row>(origin + static_cast<std::ptrdiff_t>(i) * row_stride); }
    double number(Row row, std::int32_t feature) const { return row[feature]; }
};

// Cells of any columns.
struct Router::Scattered {
    using Row = std::size_t;
    std::span<const Column> columns;
    Row row(std::size_t i) const { return i; }
    double number(Row row, std::int32_t feature) const {
        return columns[static_cast<std::size_t>(feature)].number(row);
    }
};

template <bool kFinite, class Cells>
void Router::apply_block(const Cells& cells, std::span<const Column> columns, std::size_t begin, std::size_t end,
                         std::int32_t* out) const {
    using Row = typename Cells::Row;
    const Plain* const plain = kFinite && !finite_.empty() ? finite_.data() : plain_.data();
    const auto down = [&](Row row, std::int32_t here) {
        const Plain& node = plain[static_cast<std::size_t>(here)];
        const double x = cells.number(row, node.feature);
        std::int32_t branch = x > node.threshold ? 1 : 0;
        if constexpr (!kFinite) branch |= (std::isnan(x) ? 1 : 0) & node.child;
        return (node.child >> 1) + branch;
    };
    // Rows that have not come to rest, and the nodes where they are. A group goes down in step: each row waits for
    // its own cell, and the processor has the others to look at meanwhile.
    std::array<std::uint16_t, kBlock + kGroup> walker;
    std::array<std::int32_t, kBlock + kGroup> at;
    std::size_t walking = end - begin;
    for (std::size_t i = 0; i < walking; ++i) walker[i] = static_cast<std::uint16_t>(i);
    std::fill_n(at.begin(), walking, 0);
    int levels = std::min(depth_, kDive);
    std::array<std::int32_t, kBlock> why{};  // why a row ends at a special node: kStop, kError or kSpread
    do {
        while (walking > 0) {
            // The last group is filled up with its last row.
            const std::size_t whole = (walking + kGroup - 1) / kGroup * kGroup;
            std::fill(walker.begin() + walking, walker.begin() + whole, walker[walking - 1]);
            std::fill(at.begin() + walking, at.begin() + whole, at[walking - 1]);
            std::size_t still = 0;
            for (std::size_t first = 0; first < walking; first += kGroup) {
                std::array<Row, kGroup> row;
                std::array<std::int32_t, kGroup> here;
                for (std::size_t k = 0; k < kGroup; ++k) row[k] = cells.row(begin + walker[first + k]);
                for (std::size_t k = 0; k < kGroup; ++k) here[k] = at[first + k];
                for (int level = 0; level < levels; ++level) {
                    for (std::size_t k = 0; k < kGroup; ++k) here[k] = down(row[k], here[k]);
                }
                const std::size_t n = std::min(kGroup, walking - first);
                for (std::size_t k = 0; k < n; ++k) {
                    const std::uint16_t i = walker[first + k];
                    out[begin + i] = here[k];
                    walker[still] = i;
                    at[still] = here[k];
                    still += plain[static_cast<std::size_t>(here[k])].child >> 1 != here[k];
                }
            }
            walking = still;
            levels = kLevels;
        }
        if (special_.empty()) break;
        for (std::size_t row = begin; row < end; ++row) {
            if (why[row - begin] != 0) continue;
            auto here = static_cast<std::size_t>(out[row]);
            if (special_of_[here] < 0) continue;
            // Down to the next node that the walk can take over, or that is a leaf.
            do {
                const Special& node = special_[static_cast<std::size_t>(special_of_[here])];
                const std::int32_t branch = step(node, columns, row);
                if (branch < 0) {
                    why[row - begin] = branch;
                    break;
                }
                here = static_cast<std::size_t>(node.first_child + branch);
            } while (special_of_[here] >= 0);
            out[row] = static_cast<std::int32_t>(here);
            if (why[row - begin] != 0) continue;
            walker[walking] = static_cast<std::uint16_t>(row - begin);
            at[walking++] = out[row];
        }
    } while (walking > 0);
    for (std::size_t row = begin; row < end; ++row) {
        const std::int32_t place = out[row], id = id_[static_cast<std::size_t>(place)];
        const std::int32_t end_why = why[row - begin];
        out[row] = end_why == kError ? -1 - id : end_why == kSpread ? spread_at(place) : id;
    }
}

// The columns, and one more, whose only cell is zero, for rows that rest in a table without numbers.
std::vector<Column> Router::table(std::span<const Column> columns) const {
    if (columns.size() != n_categories_.size()) throw std::invalid_argument("wrong number of columns");
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical != (n_categories_[j] != 0)) {
            throw std::invalid_argument("column " + std::to_string(j) +
                                        " is not of the kind that the tree was made for");
        }
    }
    static const double zero = 0.0;
    std::vector<Column> all(columns.begin(), columns.end());
    all.push_back({reinterpret_cast<const std::byte*>(&zero), 0, 0, false});
    return all;
}

template <class Use>
bool Router::each_block(std::span<const Column> all, std::size_t n_rows, bool refuse_infinite, std::int32_t* out,
                        Team& team, Use use) const {
    const std::span<const Column> columns = all.first(all.size() - 1);
    const auto grid = as_grid(columns);
    std::atomic<bool> infinite{false};
    team.each((n_rows + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t) {
        const std::size_t begin = block * kBlock, end = std::min(n_rows, begin + kBlock);
        // The scan also brings the block into the cache, in order, before the walk reads it at random.
        const Worst worst = worst_number(columns, grid, begin, end);
        if (refuse_infinite && worst == Worst::kInfinite) infinite = true;
        const bool finite = worst == Worst::kFinite;
        if (grid && grid->column_stride == sizeof(double)) {
            const RowMajor cells{grid->origin, grid->row_stride};
            finite ? apply_block<true>(cells, all, begin, end, out) : apply_block<false>(cells, all, begin, end, out);
        } else {
            const Scattered cells{all};
            finite ? apply_block<true>(cells, all, begin, end, out) : apply_block<false>(cells, all, begin, end, out);
        }
        use(begin, end);
    });
    return !infinite;
}

template <class Pass, class Arrive>
void Router::follow(std::span<const Column> all, std::size_t row, std::int32_t place, std::vector<Open>& open,
                    Pass pass, Arrive arrive) const {
    open.assign(1, {place, 1.0});
    while (!open.empty()) {
        auto [here, share] = open.back();
        open.pop_back();
        for (;;) {
            const auto at = static_cast<std::size_t>(here);
            const std::int32_t special = special_of_.empty() ? -1 : special_of_[at];
            pass(id_[at]);
            std::int32_t branch = kStop, first_child = 0;
            if (special >= 0) {
                const Special& node = special_[static_cast<std::size_t>(special)];
                branch = step(node, all, row);
                first_child = node.first_child;
                if (branch == kSpread) {
                    for (std::int32_t k = node.n_children; k-- > 0;) {
                        open.push_back({first_child + k, share * share_[static_cast<std::size_t>(first_child + k)]});
                    }
                    break;
                }
            } else if (plain_[at].child >> 1 != here) {
                const Plain& node = plain_[at];
                const double x = all[static_cast<std::size_t>(node.feature)].number(row);
                first_child = node.child >> 1;
                branch = std::isnan(x) ? node.child & 1 : x > node.threshold ? 1 : 0;
            }
            if (branch < 0) {
                arrive(id_[at], share, branch);
                break;
            }
            here = first_child + branch;
        }
    }
}

namespace {

// The end of a spread row that answers for it: the one with the largest share, unless some end is an error.
struct Heaviest {
    std::int32_t node = 0, refusing = kNone;
    double share = -1;

    void add(std::int32_t id, double of, std::int32_t why) {
        if (why == kError) refusing = std::min(refusing, id);
        if (of > share || (of == share && id < node)) {
            node = id;
            share = of;
        }
    }
    std::int32_t answer() const { return refusing == kNone ? node : -1 - refusing; }
};

// What the blocks have found, one after the other; `offset` holds how many each row has, and then where they begin.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>>& blocks, std::vector<std::int64_t>& offset) {
    std::vector<T> all;
    std::size_t size = 0;
    for (const auto& block : blocks) size += block.size();
    all.reserve(size);
    for (auto& block : blocks) {
        all.insert(all.end(), block.begin(), block.end());
        block = {};
    }
    std::partial_sum(offset.begin(), offset.end(), offset.begin());
    return all;
}

}  // namespace

bool Router::apply(std::span<const Column> columns, std::size_t n_rows, bool refuse_infinite, std::int32_t* out,
                   Team& team) const {
    const std::vector<Column> all = table(columns);
    return each_block(all, n_rows, refuse_infinite, out, team, [&](std::size_t begin, std::size_t end) {
        if (share_.empty()) return;
        std::vector<Open> open;
        for (std::size_t row = begin; row < end; ++row) {
            if (!is_spread(out[row])) continue;
            Heaviest heaviest;
            follow(
                all, row, place_of_spread(out[row]), open, [](std::int32_t) {},
                [&](std::int32_t id, double share, std::int32_t why) { heaviest.add(id, share, why); });
            out[row] = heaviest.answer();
        }
    });
}

bool Router::mix(std::span<const Column> columns, std::size_t n_rows, bool refuse_infinite, const double* values,
                 std::size_t width, std::int32_t* out, double* mixed, Team& team) const {
    const std::vector<Column> all = table(columns);
    return each_block(all, n_rows, refuse_infinite, out, team, [&](std::size_t begin, std::size_t end) {
        std::vector<Open> open;
        for (std::size_t row = begin; row < end; ++row) {
            double* const to = mixed + row * width;
            if (!is_spread(out[row])) {
                if (out[row] >= 0) std::copy_n(values + static_cast<std::size_t>(out[row]) * width, width, to);
                continue;
            }
            Heaviest heaviest;
            std::fill_n(to, width, 0.0);
            const auto arrive = [&](std::int32_t id, double share, std::int32_t why) {
                heaviest.add(id, share, why);
                const double* const from = values + static_cast<std::size_t>(id) * width;
                for (std::size_t k = 0; k < width; ++k) to[k] += share * from[k];
            };
            follow(all, row, place_of_spread(out[row]), open, [](std::int32_t) {}, arrive);
            out[row] = heaviest.answer();
        }
    });
}

std::vector<Router::End> Router::ends(std::span<const Column> columns, std::size_t n_rows,
                                      std::vector<std::int64_t>& offset, Team& team) const {
    const std::vector<Column> all = table(columns);
    std::vector<std::int32_t> out(n_rows);
    std::vector<std::vector<End>> blocks((n_rows + kBlock - 1) / kBlock);
    offset.assign(n_rows + 1, 0);
    each_block(all, n_rows, false, out.data(), team, [&](std::size_t begin, std::size_t end) {
        std::vector<End>& found = blocks[begin / kBlock];
        std::vector<Open> open;
        for (std::size_t row = begin; row < end; ++row) {
            const auto first = static_cast<std::ptrdiff_t>(found.size());
            if (!is_spread(out[row])) {
                found.push_back({out[row], 1.0});
            } else {
                follow(
                    all, row, place_of_spread(out[row]), open, [](std::int32_t) {},
                    [&](std::int32_t id, double share, std::int32_t why) {
                        found.push_back({why == kError ? -1 - id : id, share});
                    });
                std::sort(found.begin() + first, found.end(),
                          [](const End& a, const End& b) { return a.node < b.node; });
            }
            offset[row + 1] = static_cast<std::int64_t>(found.size()) - first;
        }
    });
    return joined(blocks, offset);
}

std::vector<std::int32_t> Router::passed(std::span<const Column> columns, std::size_t n_rows,
                                         std::vector<std::int64_t>& offset, Team& team) const {
    const std::vector<Column> all = table(columns);
    std::vector<std::vector<std::int32_t>> blocks((n_rows + kBlock - 1) / kBlock);
    offset.assign(n_rows + 1, 0);
    team.each(blocks.size(), [&](std::size_t block, std::size_t) {
        std::vector<std::int32_t>& found = blocks[block];
        std::vector<Open> open;
        for (std::size_t row = block * kBlock; row < std::min(n_rows, (block + 1) * kBlock); ++row) {
            const auto first = static_cast<std::ptrdiff_t>(found.size());
            follow(
                all, row, 0, open, [&](std::int32_t id) { found.push_back(id); },
                [](std::int32_t, double, std::int32_t) {});
            std::sort(found.begin() + first, found.end());
            offset[row + 1] = static_cast<std::int64_t>(found.size()) - first;
        }
    });
    return joined(blocks, offset);
}

}  // namespace boxwood
