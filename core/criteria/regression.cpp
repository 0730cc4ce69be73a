#include "criteria/regression.hpp"

namespace boxwood {

namespace {

// A block of kStrands numbers, of which the first n are of the node.
inline void spread_block(const double* block, std::size_t n, double* least, double* most, double* sum,
                         double* squares) {
    for (std::size_t j = 0; j < kStrands; ++j) {
        const bool is_mine = j < n;
        const double y = block[j], term = is_mine ? y : 0.0;
        least[j] = is_mine && y < least[j] ? y : least[j];
        most[j] = is_mine && y > most[j] ? y : most[j];
        sum[j] += term;
        squares[j] += term * term;
    }
}

}  // namespace

void squared_moments(const double* y, std::size_t n, const double* tail, double* out) {
    const std::size_t whole = n / kStrands * kStrands, rest = n - whole;
    double least[kStrands], most[kStrands], sum[kStrands] = {}, squares[kStrands] = {};
    const double some = whole > 0 ? y[0] : tail[0];
    for (std::size_t j = 0; j < kStrands; ++j) least[j] = most[j] = some;
    for (std::size_t i = 0; i < whole; i += kStrands) spread_block(y + i, kStrands, least, most, sum, squares);
    if (rest > 0) spread_block(tail, rest, least, most, sum, squares);
    double low = some, high = some;
    for (std::size_t j = 0; j < kStrands; ++j) {
        low = least[j] < low ? least[j] : low;
        high = most[j] > high ? most[j] : high;
    }
    const auto weight = static_cast<double>(static_cast<std::int64_t>(n));
    out[kWeight] = weight;
    out[kSum] = join_strands(sum);
    out[kSquares] = join_strands(squares);
    out[kRange] = high - low;
    out[kAnswer] = some;
    out[kImpurity] = 0;
    if (high == low) return;
    // The mean in two steps: the second removes what rounding left.
    const double near = out[kSum] / weight;
    double left[kStrands] = {};
    for (std::size_t i = 0; i < whole; i += kStrands) {
        for (std::size_t j = 0; j < kStrands; ++j) left[j] += y[i + j] - near;
    }
    for (std::size_t j = 0; rest > 0 && j < kStrands; ++j) left[j] += j < rest ? tail[j] - near : 0.0;
    const double mean = std::clamp(near + join_strands(left) / weight, low, high);
    double away[kStrands] = {};
    for (std::size_t i = 0; i < whole; i += kStrands) {
        for (std::size_t j = 0; j < kStrands; ++j) away[j] += (y[i + j] - mean) * (y[i + j] - mean);
    }
    for (std::size_t j = 0; rest > 0 && j < kStrands; ++j) {
        const double d = j < rest ? tail[j] - mean : 0.0;
        away[j] += d * d;
    }
    out[kAnswer] = mean;
    out[kImpurity] = join_strands(away) / weight;
}

}  // namespace boxwood
