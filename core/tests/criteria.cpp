#include "criteria/criterion.hpp"

#include <cmath>
#include <random>

#include "check.hpp"

using namespace boxwood;

namespace {

const Criterion kAll[] = {Criterion::kGini, Criterion::kEntropy, Criterion::kGainRatio};

bool near(double a, double b) {
    return std::fabs(a - b) <= 1e-12 * (1 + std::fabs(b));
}

}  // namespace

CASE("a pure node has no impurity, an even one the most") {
    for (const Criterion criterion : kAll) {
        CHECK_EQUAL(impurity(criterion, std::vector<double>{7, 0, 0}, 7), 0.0);
        const double even = impurity(criterion, std::vector<double>{3, 3, 3}, 9);
        CHECK(even > impurity(criterion, std::vector<double>{4, 3, 2}, 9));
    }
    CHECK(near(impurity(Criterion::kGini, std::vector<double>{1, 1}, 2), 0.5));
    CHECK(near(impurity(Criterion::kEntropy, std::vector<double>{1, 1}, 2), 1.0));
    CHECK(near(impurity(Criterion::kEntropy, std::vector<double>{2, 2, 2, 2}, 8), 2.0));
}

CASE("branch gains add up to the decrease of impurity") {
    std::mt19937_64 draw(1);
    for (int round = 0; round < 500; ++round) {
        std::vector<double> left(4), right(4), total(4);
        double left_weight = 0, right_weight = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            left[k] = static_cast<double>(draw() % 6);
            right[k] = static_cast<double>(draw() % 6);
            total[k] = left[k] + right[k];
            left_weight += left[k];
            right_weight += right[k];
        }
        if (left_weight == 0 || right_weight == 0) continue;
        const double weight = left_weight + right_weight;
        for (const Criterion criterion : kAll) {
            const double gain = branch_gain(criterion, left, left_weight, total, weight) +
                                branch_gain(criterion, right, right_weight, total, weight);
            const double decrease = impurity(criterion, total, weight) -
                                    left_weight / weight * impurity(criterion, left, left_weight) -
                                    right_weight / weight * impurity(criterion, right, right_weight);
            CHECK(near(gain, decrease));
            CHECK(gain >= 0);
            const double by_worth = (worth(criterion, left, left_weight) + worth(criterion, right, right_weight) -
                                     worth(criterion, total, weight)) /
                                    weight;
            CHECK(near(by_worth, decrease));
        }
    }
}

CASE("split information is the entropy of the branch sizes") {
    CHECK(near(split_information(std::vector<double>{4, 4}, 8), 1.0));
    CHECK(near(split_information(std::vector<double>{2, 2, 2, 2}, 8), 2.0));
    CHECK_EQUAL(split_information(std::vector<double>{8}, 8), 0.0);
}
