#include "tree/router.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <string>

namespace boxwood {
namespace {

constexpr std::size_t kBlock = 256;  // rows that walk side by side
constexpr std::size_t kGroup = 8;    // of these, in step
constexpr int kDive = 12;            // levels that they go down in the first pass
constexpr int kLevels = 4;           // and in every other
constexpr std::int32_t kAbsent = std::numeric_limits<std::int32_t>::min();

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
        tree.category_offset.size() != n + 1 || tree.category_code.size() != tree.category_branch.size()) {
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
        if (tree.missing_branch[i] < kStop || tree.missing_branch[i] >= children || tree.unknown_branch[i] < kError ||
            tree.unknown_branch[i] >= children) {
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

Router::Router(const TreeView& tree) : n_categories_(tree.n_categories.begin(), tree.n_categories.end()) {
    check(tree);
    const std::size_t n = tree.kind.size();
    std::vector<int> depth(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        depth_ = std::max(depth_, depth[i]);
        for (std::int32_t branch = 0; branch < tree.n_children[i]; ++branch) {
            depth[static_cast<std::size_t>(tree.first_child[i] + branch)] = depth[i] + 1;
        }
    }
    codes_.assign(tree.category_code.begin(), tree.category_code.end());
    branches_.assign(tree.category_branch.begin(), tree.category_branch.end());
    plain_.resize(n);
    id_.resize(n);
    const std::vector<std::int32_t> place = lay_out(tree);
    const auto place_of = [&](std::int32_t node) { return place[static_cast<std::size_t>(node)]; };
    std::vector<std::int32_t> special_of(n, -1);
    // What a resting row reads: the first column of numbers, or the one that apply() adds.
    const auto numeric = std::find(n_categories_.begin(), n_categories_.end(), 0);
    const auto resting = static_cast<std::int32_t>(numeric - n_categories_.begin());
    for (std::size_t i = 0; i < n; ++i) {
        const auto here = static_cast<std::size_t>(place[i]);
        id_[here] = static_cast<std::int32_t>(i);
        plain_[here] = {std::numeric_limits<double>::infinity(), resting, place[i] * 2};
        const auto kind = static_cast<Kind>(tree.kind[i]);
        if (kind == Kind::kLeaf) continue;
        const std::int32_t missing = tree.missing_branch[i], first_child = place_of(tree.first_child[i]);
        if (kind == Kind::kThreshold && (missing == 0 || missing == 1)) {
            plain_[here] = {tree.threshold[i], tree.feature[i], first_child * 2 + missing};
            continue;
        }
        Special node{kind,    tree.feature[i],        tree.threshold[i],       first_child,
                     missing, tree.unknown_branch[i], tree.category_offset[i], tree.category_offset[i + 1],
                     false};
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
        special_of[here] = static_cast<std::int32_t>(special_.size());
        special_.push_back(node);
    }
    if (!special_.empty()) special_of_ = std::move(special_of);
}

std::int32_t Router::step(const Special& node, const Column& column, std::size_t row) const {
    std::int32_t branch = kStop;
    if (!column.categorical) {
        const double x = column.number(row);
        if (node.kind == Kind::kIsMissing) {
            branch = std::isnan(x) ? 0 : 1;
        } else {
            branch = std::isnan(x) ? node.missing_branch : (x <= node.threshold ? 0 : 1);
        }
    } else {
        const std::int32_t code = column.code(row);
        if (node.kind == Kind::kIsMissing) {
            branch = code == kMissing ? 0 : code < 0 ? node.unknown_branch : 1;
        } else if (code == kMissing) {
            branch = node.missing_branch;
        } else {
            branch = kAbsent;
            if (node.dense) {
                const std::int64_t at = node.begin + code;
                if (code >= 0 && at < node.end) branch = table_[static_cast<std::size_t>(at)];
            } else {
                const auto begin = codes_.begin() + node.begin, end = codes_.begin() + node.end;
                const auto found = std::lower_bound(begin, end, code);
                if (found != end && *found == code) {
                    branch = branches_[static_cast<std::size_t>(found - codes_.begin())];
                }
            }
            if (branch == kAbsent) branch = node.unknown_branch;
        }
    }
    return branch;
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
    const auto down = [&](Row row, std::int32_t here) {
        const Plain& node = plain_[static_cast<std::size_t>(here)];
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
    std::array<bool, kBlock> ended{}, refused{};  // rows that stop at a special node, and those that may not
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
                    still += plain_[static_cast<std::size_t>(here[k])].child >> 1 != here[k];
                }
            }
            walking = still;
            levels = kLevels;
        }
        if (special_.empty()) break;
        for (std::size_t row = begin; row < end; ++row) {
            if (ended[row - begin]) continue;
            const auto here = static_cast<std::size_t>(out[row]);
            if (special_of_[here] < 0) continue;
            const Special& node = special_[static_cast<std::size_t>(special_of_[here])];
            const std::int32_t branch = step(node, columns[static_cast<std::size_t>(node.feature)], row);
            if (branch < 0) {
                ended[row - begin] = true;
                refused[row - begin] = branch == kError;
                continue;
            }
            walker[walking] = static_cast<std::uint16_t>(row - begin);
            at[walking++] = node.first_child + branch;
        }
    } while (walking > 0);
    for (std::size_t row = begin; row < end; ++row) {
        const std::int32_t id = id_[static_cast<std::size_t>(out[row])];
        out[row] = refused[row - begin] ? -1 - id : id;
    }
}

bool Router::apply(std::span<const Column> columns, std::size_t n_rows, bool refuse_infinite, std::int32_t* out,
                   Team& team) const {
    if (columns.size() != n_categories_.size()) throw std::invalid_argument("wrong number of columns");
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical != (n_categories_[j] != 0)) {
            throw std::invalid_argument("column " + std::to_string(j) +
                                        " is not of the kind that the tree was made for");
        }
    }
    // One more column, whose only cell is zero, for rows that rest in a table without numbers.
    static const double zero = 0.0;
    std::vector<Column> all(columns.begin(), columns.end());
    all.push_back({reinterpret_cast<const std::byte*>(&zero), 0, 0, false});
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
    });
    return !infinite;
}

}  // namespace boxwood
