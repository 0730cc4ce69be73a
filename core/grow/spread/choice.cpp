#include "grow/spread/choice.hpp"

#include <algorithm>
#include <limits>

#include "criteria/criterion.hpp"
#include "select/selection.hpp"

namespace boxwood::spread {
namespace {

constexpr double kAboutAverage = 1e-3;  // how far below the average a gain may be, in Weka
constexpr double kManyValues = 0.3;     // categories per row of the table

bool has_few_values(const Table& table, std::size_t feature) {
    const Column& column = table.columns[feature];
    return !column.categorical || column.n_categories + kWekaTie < kManyValues * static_cast<double>(table.n_rows);
}

Chosen best_merit(const Facts& facts, std::span<const Offer> offers) {
    double best = -std::numeric_limits<double>::infinity();
    for (const Offer& offer : offers) {
        if (offer.valid()) best = std::max(best, offer.best);
    }
    for (std::size_t i = 0; i < offers.size(); ++i) {
        if (!offers[i].valid() || offers[i].best < best - facts.tie) continue;
        const Near& near = offers[i].first(best - facts.tie);
        return {i, &near, near.merit};
    }
    return {};
}

Chosen best_of_ratios(const Facts& facts, std::span<const Offer> offers) {
    std::vector<double> gains, ratios;
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        if (!offers[i].valid()) continue;
        const Near& near = offers[i].near.front();
        gains.push_back(near.merit);
        ratios.push_back(near.merit / offers[i].information_of(near, facts.weight));
        place.push_back(i);
    }
    if (place.empty()) return {};
    const std::size_t winner = best_ratio(gains, ratios, facts.tie);
    return {place[winner], &offers[place[winner]].near.front(), ratios[winner]};
}

Chosen as_weka(const Options& options, const Facts& facts, const Table& table, std::span<const Offer> offers,
               std::span<const std::size_t> features) {
    const bool ratio = options.measure.kind == Criterion::kGainRatio;
    double least = -std::numeric_limits<double>::infinity();
    if (ratio) {
        std::size_t few = 0;
        for (std::size_t j = 0; j < table.columns.size(); ++j) few += has_few_values(table, j);
        double sum = 0, n = 0;
        for (std::size_t i = 0; i < offers.size(); ++i) {
            if (!offers[i].valid() || (few > 0 && !has_few_values(table, features[i]))) continue;
            sum += offers[i].best;
            ++n;
        }
        if (n == 0) return {};
        least = sum / n - kAboutAverage;
    }
    Chosen chosen;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        if (!offers[i].valid() || offers[i].best < least) continue;
        const Near& near = offers[i].near.front();
        const double score = ratio ? near.merit / offers[i].information_of(near, facts.weight) : near.merit;
        if (score - chosen.score > kWekaTie) chosen = {i, &near, score};
    }
    return chosen;
}

}  // namespace

Chosen choose(const Options& options, const Facts& facts, const Table& table, std::span<const Offer> offers,
              std::span<const std::size_t> features) {
    if (options.weka_comparison) return as_weka(options, facts, table, offers, features);
    return options.measure.kind == Criterion::kGainRatio ? best_of_ratios(facts, offers) : best_merit(facts, offers);
}

}  // namespace boxwood::spread
