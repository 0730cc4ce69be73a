// Medians of the two sides of a split while rows move from right to left.
//
// The rows of a node have places in the order of their responses. A MedianTree is
// a Fenwick tree (Fenwick 1994) over these places: it holds sums of the weights
// and of the rounded responses of the rows in a set, takes a row in, and finds
// the median and the sums below it by one descent, each in O(log n) steps. The
// right side is all rows but those of the left, so that one tree changes and two
// descents read it. Both sums are exact (weights are multiples of a power of two,
// responses whole numbers of units), so nothing drifts, in whatever order rows
// move.
//
// With S and W the sums over a set, S' and W' those over the rows below its median
// c, the absolute loss sum w |y - c| is c W' - S' + (S - S') - c (W - W').
//
// With unit weights a MedianList is faster: a linked list of the rows in the order
// of their responses, from which rows are removed one by one in O(1), for the
// median is then the neighbour of the median before. Removing the rows of a
// feature from the last to the first gives the losses of all left sides, from the
// first to the last those of all right sides. (With weights the median may jump,
// and a walk to it could take as many steps as there are rows.)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

class MedianTree {
  public:
    struct Sums {
        double weight = 0;
        std::int64_t sum = 0;
    };

    void clear(std::size_t n) {
        nodes_.assign(n + 1, {});
        total_ = {};
    }
    std::size_t size() const { return nodes_.size() - 1; }
    const Sums& total() const { return total_; }
    const Sums& node(std::size_t i) const { return nodes_[i]; }

    void add(std::size_t place, double weight, std::int64_t sum) {
        count(weight, sum);
        for (std::size_t i = place + 1; i < nodes_.size(); i += i & (~i + 1)) {
            nodes_[i].weight += weight;
            nodes_[i].sum += sum;
        }
    }
    // Many rows at once: put each in its place, then close.
    void put(std::size_t place, double weight, std::int64_t sum) {
        count(weight, sum);
        nodes_[place + 1] = {weight, sum};
    }
    void close() {
        for (std::size_t i = 1; i < nodes_.size(); ++i) {
            const std::size_t up = i + (i & (~i + 1));
            if (up >= nodes_.size()) continue;
            nodes_[up].weight += nodes_[i].weight;
            nodes_[up].sum += nodes_[i].sum;
        }
    }

  private:
    void count(double weight, std::int64_t sum) {
        total_.weight += weight;
        total_.sum += sum;
    }
    std::vector<Sums> nodes_;
    Sums total_;
};

// The rows of `all` that are not in `left`, or, without `left`, all of them; or those of one tree.
class MedianSide {
  public:
    explicit MedianSide(const MedianTree& all, const MedianTree* without = nullptr)
        : all_(all), without_(without), total_(all.total()) {
        if (without != nullptr) {
            total_.weight -= without->total().weight;
            total_.sum -= without->total().sum;
        }
    }

    // The absolute loss around the median, where `y` are the responses by place.
    double loss(const std::vector<double>& y) const {
        if (!(total_.weight > 0)) return 0;
        MedianTree::Sums below;
        const double median = y[find(below, [&](double weight) { return 2 * weight < total_.weight; })];
        return median * (2 * below.weight - total_.weight) + static_cast<double>(total_.sum - 2 * below.sum);
    }
    // The places of the lower and of the upper median.
    std::size_t lower() const {
        MedianTree::Sums below;
        return find(below, [&](double weight) { return 2 * weight < total_.weight; });
    }
    std::size_t upper() const {
        MedianTree::Sums below;
        return find(below, [&](double weight) { return 2 * weight <= total_.weight; });
    }

  private:
    // How many places have all their rows below, where below(weight of these rows) holds.
    template <class Below>
    std::size_t find(MedianTree::Sums& sums, Below below) const {
        std::size_t place = 0;
        for (std::size_t step = std::bit_floor(all_.size()); step > 0; step >>= 1) {
            const std::size_t next = place + step;
            if (next > all_.size()) continue;
            MedianTree::Sums here = all_.node(next);
            if (without_ != nullptr) {
                here.weight -= without_->node(next).weight;
                here.sum -= without_->node(next).sum;
            }
            if (!below(sums.weight + here.weight)) continue;
            place = next;
            sums.weight += here.weight;
            sums.sum += here.sum;
        }
        return place;
    }

    const MedianTree& all_;
    const MedianTree* without_;
    MedianTree::Sums total_;
};

class MedianList {
  public:
    // All places are in: `y` and `whole` are their responses, as they are and rounded.
    void fill(const std::vector<double>& y, const std::vector<std::int64_t>& whole, std::int64_t total) {
        y_ = y.data();
        whole_ = whole.data();
        const std::size_t n = y.size();
        links_.resize(n + 2);  // the ends are links too: place p is link p + 1
        for (std::size_t i = 0; i < n + 2; ++i) {
            links_[i] = {static_cast<std::uint32_t>(i) - 1, static_cast<std::uint32_t>(i) + 1};
        }
        n_ = static_cast<std::int64_t>(n);
        sum_ = total;
        n_below_ = (n_ - 1) / 2;
        median_ = static_cast<std::uint32_t>(n_below_ + 1);
        below_ = 0;
        for (std::int64_t i = 0; i < n_below_; ++i) below_ += whole_[i];
    }

    // At least one other place is left.
    void remove(std::size_t place) {
        const auto at = static_cast<std::uint32_t>(place + 1);
        const auto [before, after] = links_[at];
        links_[before].after = after;
        links_[after].before = before;
        sum_ -= whole_[place];
        --n_;
        if (at < median_) {
            --n_below_;
            below_ -= whole_[place];
        } else if (at == median_) {
            if (after < links_.size() - 1) {
                median_ = after;
            } else {
                step_down(before);
            }
        }
        const std::int64_t wanted = (n_ - 1) / 2;
        if (n_below_ > wanted) {
            step_down(links_[median_].before);
        } else if (n_below_ < wanted) {
            below_ += whole_[median_ - 1];
            ++n_below_;
            median_ = links_[median_].after;
        }
    }

    double loss() const {
        return y_[median_ - 1] * static_cast<double>(2 * n_below_ - n_) + static_cast<double>(sum_ - 2 * below_);
    }

  private:
    struct Link {
        std::uint32_t before, after;
    };
    void step_down(std::uint32_t to) {
        median_ = to;
        --n_below_;
        below_ -= whole_[to - 1];
    }
    const double* y_ = nullptr;
    const std::int64_t* whole_ = nullptr;
    std::vector<Link> links_;
    std::int64_t n_ = 0, n_below_ = 0, sum_ = 0, below_ = 0;
    std::uint32_t median_ = 0;
};

}  // namespace boxwood
