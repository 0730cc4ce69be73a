#include "tree/router.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

namespace boxwood {
namespace {

constexpr std::size_t kLanes = 16;
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
        !same(tree.n_children.size()) || !same(tree.missing_branch.size()) ||
        !same(tree.unknown_branch.size()) || tree.category_offset.size() != n + 1 ||
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
        if (children < 2 || first <= static_cast<std::int64_t>(i) ||
            first + children > static_cast<std::int64_t>(n)) {
            refuse(i, "its children are out of range");
        }
        const std::int64_t feature = tree.feature[i];
        if (feature < 0 || feature >= static_cast<std::int64_t>(tree.n_categories.size())) {
            refuse(i, "its feature is out of range");
        }
        const std::int32_t categories = tree.n_categories[static_cast<std::size_t>(feature)];
        if (tree.missing_branch[i] < kStop || tree.missing_branch[i] >= children ||
            tree.unknown_branch[i] < kError || tree.unknown_branch[i] >= children) {
            refuse(i, "its missing or unknown branch is out of range");
        }
        const bool threshold = kind == static_cast<int>(Kind::kThreshold);
        const bool listed =
            kind == static_cast<int>(Kind::kSubset) || kind == static_cast<int>(Kind::kMultiway);
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

Router::Router(const TreeView& tree) : n_categories_(tree.n_categories.begin(), tree.n_categories.end()) {
    check(tree);
    const std::size_t n = tree.kind.size();
    codes_.assign(tree.category_code.begin(), tree.category_code.end());
    branches_.assign(tree.category_branch.begin(), tree.category_branch.end());
    plain_.resize(n);
    std::vector<std::int32_t> special_of(n, -1);
    const auto resting = static_cast<std::int32_t>(n_categories_.size());
    for (std::size_t i = 0; i < n; ++i) {
        const auto id = static_cast<std::int32_t>(i);
        plain_[i] = {std::numeric_limits<double>::infinity(), resting, id * 2};
        const auto kind = static_cast<Kind>(tree.kind[i]);
        if (kind == Kind::kLeaf) continue;
        const std::int32_t missing = tree.missing_branch[i];
        if (kind == Kind::kThreshold && (missing == 0 || missing == 1)) {
            plain_[i] = {tree.threshold[i], tree.feature[i], tree.first_child[i] * 2 + missing};
            continue;
        }
        Special node{kind,
                     tree.feature[i],
                     tree.threshold[i],
                     tree.first_child[i],
                     missing,
                     tree.unknown_branch[i],
                     tree.category_offset[i],
                     tree.category_offset[i + 1],
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
        special_of[i] = static_cast<std::int32_t>(special_.size());
        special_.push_back(node);
    }
    if (!special_.empty()) special_of_ = std::move(special_of);
}

std::int32_t Router::step(const Special& node, std::int32_t id, const Column& column, std::size_t row,
                          bool& ended) const {
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
    if (branch >= 0) return node.first_child + branch;
    ended = true;
    return branch == kStop ? id : -1 - id;
}

void Router::apply_block(std::span<const Column> columns, std::size_t begin, std::size_t end,
                         std::int32_t* out) const {
    for (std::size_t first = begin; first < end; first += kLanes) {
        const std::size_t lanes = std::min(kLanes, end - first);
        std::array<std::int32_t, kLanes> at{};
        std::array<bool, kLanes> ended{};
        for (bool again = true; again;) {
            for (bool moved = true; moved;) {
                std::int32_t change = 0;
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    if (at[lane] < 0) continue;
                    const Plain& node = plain_[static_cast<std::size_t>(at[lane])];
                    const Column& column = columns[static_cast<std::size_t>(node.feature)];
                    const double x = column.number(first + lane);
                    // Not a number is neither above nor at most the threshold.
                    const std::int32_t branch = x <= node.threshold ? 0 : x > node.threshold ? 1 : node.child & 1;
                    const std::int32_t next = (node.child >> 1) + branch;
                    change |= next ^ at[lane];
                    at[lane] = next;
                }
                moved = change != 0;
            }
            again = false;
            if (special_of_.empty()) break;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                if (ended[lane] || at[lane] < 0) continue;
                const std::int32_t which = special_of_[static_cast<std::size_t>(at[lane])];
                if (which < 0) continue;
                const Special& node = special_[static_cast<std::size_t>(which)];
                bool stop = false;
                at[lane] = step(node, at[lane], columns[static_cast<std::size_t>(node.feature)], first + lane, stop);
                ended[lane] = stop;
                again |= !stop;
            }
        }
        std::copy_n(at.begin(), lanes, out + first);
    }
}

void Router::apply(std::span<const Column> columns, std::size_t n_rows, std::int32_t* out,
                   Team& team) const {
    if (columns.size() != n_categories_.size()) throw std::invalid_argument("wrong number of columns");
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical != (n_categories_[j] != 0)) {
            throw std::invalid_argument("column " + std::to_string(j) +
                                        " is not of the kind that the tree was made for");
        }
    }
    // A row that rests at a node reads one more column, whose only cell is zero.
    static const double zero = 0.0;
    std::vector<Column> all(columns.begin(), columns.end());
    all.push_back({reinterpret_cast<const std::byte*>(&zero), 0, 0, false});
    constexpr std::size_t kBlock = 4096;
    team.each((n_rows + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t) {
        apply_block(all, block * kBlock, std::min(n_rows, (block + 1) * kBlock), out);
    });
}

}  // namespace boxwood
