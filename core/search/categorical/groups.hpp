// The contingency table of a categorical column at a node, by value present.
//
// Group g stands for category code[g] (ascending) and holds its class counts as
// a sparse row: (label, count) pairs in start[g] .. start[g + 1], classes
// ascending. At most one pair per row of the node, however many values there
// are. The order is canonical, so that every search gives the same result
// however the table was filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxwood {

struct Groups {
    std::vector<std::int32_t> code;
    std::vector<std::int64_t> rows;
    std::vector<double> weight;
    std::vector<std::size_t> start{0};
    std::vector<std::uint16_t> label;
    std::vector<double> count;

    std::size_t size() const { return code.size(); }
    void clear() {
        code.clear();
        rows.clear();
        weight.clear();
        start.assign(1, 0);
        label.clear();
        count.clear();
    }
    void add(std::uint16_t k, double n) {
        label.push_back(k);
        count.push_back(n);
    }
    // Ends the group whose pairs were added since the last close().
    void close(std::int32_t category, std::int64_t n_rows) {
        double sum = 0;
        for (std::size_t i = start.back(); i < label.size(); ++i) sum += count[i];
        code.push_back(category);
        rows.push_back(n_rows);
        weight.push_back(sum);
        start.push_back(label.size());
    }
};

}  // namespace boxwood
