// A candidate split of one node with the counts of its branches.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>

#include "criteria/criterion.hpp"
#include "search/found.hpp"

namespace boxwood {

struct Candidate {
    std::uint32_t at = 0;  // as Found::at
    Side side = Side::kNone;
    bool is_missing_test = false;
    Branches branches;
    std::array<std::int64_t, 3> rows{};
    std::span<const double> known{};  // class counts of the rows that it is about; empty: of all

    bool is(const Found& found) const {
        return is_missing_test ? found.is_missing_test
                               : !found.is_missing_test && at == found.at && side == found.missing;
    }
    bool allowed(const Minimum& minimum) const {
        for (std::size_t branch = 0; branch < branches.n; ++branch) {
            if (!minimum.allows(rows[branch], branches.weight[branch])) return false;
        }
        return true;
    }
};

// A reference to what is done with each candidate in turn: a callable that returns true when it has seen enough. Not a
// template parameter, so that the walk through a feature's candidates is compiled once.
class Visit {
  public:
    template <class Call>
        requires(!std::same_as<std::remove_cvref_t<Call>, Visit>)
    Visit(Call&& call)
        : call_(&call), run_([](void* at, const Candidate& candidate) -> bool {
              return (*static_cast<std::remove_reference_t<Call>*>(at))(candidate);
          }) {}
    bool operator()(const Candidate& candidate) const { return run_(call_, candidate); }

  private:
    void* call_;
    bool (*run_)(void*, const Candidate&);
};

}  // namespace boxwood
