#include "grow/spread/members.hpp"

#include <algorithm>

namespace boxwood::spread {

std::size_t Split::heaviest() const {
    return static_cast<std::size_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
}

std::vector<Child> Division::begin(const Members& node, const Split& split, std::size_t place) {
    const std::size_t n = node.size();
    n_branches_ = split.n_branches;
    branch_.assign(n, kEverywhere);
    if (split.kind == Kind::kThreshold) {
        for (const Item& item : node.items_of(place)) branch_[item.member] = item.rank > split.last_rank;
    } else {
        const Column& column = table_.columns[split.feature];
        const auto n_categories = static_cast<std::size_t>(column.n_categories);
        if (of_code_.size() < n_categories) of_code_.resize(n_categories, kEverywhere);
        for (std::size_t i = 0; i < split.category_code.size(); ++i) {
            of_code_[static_cast<std::size_t>(split.category_code[i])] = split.category_branch[i];
        }
        for (std::size_t member = 0; member < n; ++member) {
            const std::int32_t code = column.code(node.row[member]);
            if (code >= 0) branch_[member] = of_code_[static_cast<std::size_t>(code)];
        }
        for (const std::int32_t code : split.category_code) of_code_[static_cast<std::size_t>(code)] = kEverywhere;
    }

    std::vector<Child> children(n_branches_);
    for (std::size_t b = 0; b < n_branches_; ++b) {
        const auto first = split.counts.begin() + static_cast<std::ptrdiff_t>(b * n_classes_);
        children[b].counts.assign(first, first + static_cast<std::ptrdiff_t>(n_classes_));
        children[b].weight = split.weight[b];
    }
    place_.resize(n);
    spread_.clear();
    part_.clear();
    stand_.clear();
    n_rows_.assign(n_branches_, 0);
    const std::size_t heaviest = split.heaviest();
    for (std::size_t member = 0; member < n; ++member) {
        if (branch_[member] != kEverywhere) {
            place_[member] = static_cast<std::uint32_t>(n_rows_[static_cast<std::size_t>(branch_[member])]++);
            continue;
        }
        place_[member] = static_cast<std::uint32_t>(spread_.size());
        const std::size_t at = part_.size();
        spread_.push_back(static_cast<std::uint32_t>(member));
        part_.resize(at + n_branches_);
        stand_.resize(at + n_branches_, kNowhere);
        grid_.divide(node.weight_of(member), split.weight, split.known, heaviest, {part_.data() + at, n_branches_});
        for (std::size_t b = 0; b < n_branches_; ++b) {
            if (!(part_[at + b] > 0)) continue;
            stand_[at + b] = static_cast<std::uint32_t>(n_rows_[b]++);
            children[b].counts[node.label[member]] += part_[at + b];
            children[b].weight += part_[at + b];
        }
    }
    for (std::size_t b = 0; b < n_branches_; ++b) children[b].n_rows = n_rows_[b];
    return children;
}

std::vector<Members> Division::divide(const Members& node, std::span<const std::uint8_t> open,
                                      std::span<const std::size_t> keep, Team& team) {
    std::vector<Members> children(n_branches_);
    const bool weighted = !node.weight.empty() || !spread_.empty();
    for (std::size_t b = 0; b < n_branches_; ++b) {
        if (!open[b]) continue;
        Members& child = children[b];
        const auto n = static_cast<std::size_t>(n_rows_[b]);
        child.row.resize(n);
        child.label.resize(n);
        if (weighted) child.weight.resize(n);
        for (const std::size_t place : keep) child.features.push_back(node.features[place]);
        child.n_known.assign(keep.size(), 0);
        child.items.resize(keep.size() * n);
    }
    const auto put = [&](std::size_t b, std::size_t at, std::size_t member, double weight) {
        children[b].row[at] = node.row[member];
        children[b].label[at] = node.label[member];
        if (weighted) children[b].weight[at] = weight;
    };
    for (std::size_t member = 0; member < node.size(); ++member) {
        if (branch_[member] == kEverywhere) continue;
        const auto b = static_cast<std::size_t>(branch_[member]);
        if (open[b]) put(b, place_[member], member, node.weight_of(member));
    }
    for (std::size_t i = 0; i < spread_.size(); ++i) {
        for (std::size_t b = 0; b < n_branches_; ++b) {
            const std::size_t at = i * n_branches_ + b;
            if (open[b] && stand_[at] != kNowhere) put(b, stand_[at], spread_[i], part_[at]);
        }
    }
    team.each(keep.size(), [&](std::size_t i, std::size_t) {
        if (table_.columns[node.features[keep[i]]].categorical) return;
        std::vector<Item*> out(n_branches_, nullptr);
        for (std::size_t b = 0; b < n_branches_; ++b) {
            if (open[b]) out[b] = children[b].items.data() + i * children[b].size();
        }
        for (const Item& item : node.items_of(keep[i])) {
            const std::int32_t branch = branch_[item.member];
            if (branch != kEverywhere) {
                Item*& to = out[static_cast<std::size_t>(branch)];
                if (to != nullptr) *to++ = {place_[item.member], item.rank};
                continue;
            }
            const std::size_t first = place_[item.member] * n_branches_;
            for (std::size_t b = 0; b < n_branches_; ++b) {
                if (out[b] != nullptr && stand_[first + b] != kNowhere) *out[b]++ = {stand_[first + b], item.rank};
            }
        }
        for (std::size_t b = 0; b < n_branches_; ++b) {
            if (!open[b]) continue;
            children[b].n_known[i] =
                static_cast<std::size_t>(out[b] - (children[b].items.data() + i * children[b].size()));
        }
    });
    return children;
}

}  // namespace boxwood::spread
