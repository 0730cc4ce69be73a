#include "grow/regression/scan.hpp"

#include "simd.hpp"

namespace boxwood {

BOXWOOD_CLONES double highest_of_block(const double* sum, double left, double weight) {
    std::array<double, 8> highest{};
    for (std::size_t j = 0; j < kBlock; j += highest.size()) {
        for (std::size_t k = 0; k < highest.size(); ++k) {
            const double l = left + static_cast<double>(static_cast<std::int32_t>(j + k));
            const double value = sum[j + k] * sum[j + k] * (weight / (l * (weight - l)));
            highest[k] = value > highest[k] ? value : highest[k];
        }
    }
    double most = 0;
    for (const double value : highest) most = value > most ? value : most;
    return most;
}

BOXWOOD_CLONES double widest_of_block(const double* sum) {
    std::array<double, 8> widest{};
    for (std::size_t j = 0; j < kBlock; j += widest.size()) {
        for (std::size_t k = 0; k < widest.size(); ++k) {
            const double square = sum[j + k] * sum[j + k];
            widest[k] = square > widest[k] ? square : widest[k];
        }
    }
    double most = 0;
    for (const double value : widest) most = value > most ? value : most;
    return most;
}

}  // namespace boxwood
