#include "search/categorical/max_cut/relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace boxwood {
namespace {

// Normal numbers from splitmix64, by pairs (Box and Muller).
class Normal {
  public:
    explicit Normal(std::uint64_t seed) : state_(seed) {}
    double operator()() {
        if (spare_) {
            spare_ = false;
            return kept_;
        }
        const double radius = std::sqrt(-2 * std::log(1 - unit())), angle = 2 * std::numbers::pi * unit();
        kept_ = radius * std::sin(angle);
        spare_ = true;
        return radius * std::cos(angle);
    }

  private:
    double unit() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
    }
    std::uint64_t state_;
    bool spare_ = false;
    double kept_ = 0;
};

constexpr std::uint64_t kSeed = 1995;

double dot(const double* a, const double* b, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

Relaxation relax_cut(const Graph& graph) {
    constexpr int kMostSweeps = 2000;
    constexpr double kSettled = 1e-7;
    const std::size_t n = graph.n;
    Relaxation out;
    out.rank = static_cast<std::size_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(n)))) + 1;
    out.rank = (out.rank + 3) / 4 * 4;
    const std::size_t r = out.rank;
    out.vectors.resize(n * r);
    Normal normal(kSeed);
    const auto unit = [&](double* v) {
        const double length = std::sqrt(dot(v, v, r));
        if (!(length > 0)) return length;
        for (std::size_t c = 0; c < r; ++c) v[c] /= length;
        return length;
    };
    for (double& x : out.vectors) x = normal();
    for (std::size_t i = 0; i < n; ++i) unit(out.vectors.data() + i * r);
    std::vector<double> pull(r);
    double all = 0;
    for (const double w : graph.weight) all += std::fabs(w);
    for (int sweep = 0; sweep < kMostSweeps && all > 0; ++sweep) {
        double improved = 0;
        for (std::size_t i = 0; i < n; ++i) {
            std::fill(pull.begin(), pull.end(), 0.0);
            const double* row = graph.row(i);
            for (std::size_t j = 0; j < n; ++j) {
                const double w = row[j];
                const double* v = out.vectors.data() + j * r;
                for (std::size_t c = 0; c < r; ++c) pull[c] += w * v[c];
            }
            double* mine = out.vectors.data() + i * r;
            const double before = dot(mine, pull.data(), r);
            const double length = unit(pull.data());
            if (!(length > 0)) continue;
            for (std::size_t c = 0; c < r; ++c) mine[c] = -pull[c];
            improved += before + length;
        }
        if (improved < kSettled * all) break;
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            out.value += 0.5 * graph(i, j) * (1 - dot(out.vectors.data() + i * r, out.vectors.data() + j * r, r));
        }
    }
    return out;
}

std::vector<std::uint8_t> round_cut(const Graph& graph, const Relaxation& relaxation, std::size_t n_draws) {
    const std::size_t n = graph.n, r = relaxation.rank;
    Normal normal(kSeed + 1);
    std::vector<double> plane(r);
    std::vector<std::uint8_t> side(n), best;
    double most = -1;
    for (std::size_t draw = 0; draw < n_draws; ++draw) {
        for (double& x : plane) x = normal();
        for (std::size_t i = 0; i < n; ++i)
            side[i] = dot(plane.data(), relaxation.vectors.data() + i * r, r) < 0 ? 1 : 0;
        const double weight = cut_weight(graph, side);
        if (best.empty() || weight > most) {
            most = weight;
            best = side;
        }
    }
    return best;
}

}  // namespace boxwood
