#include "grow/searcher.hpp"

namespace boxwood {

template class Candidates<std::uint16_t, true>;
template class Candidates<std::uint16_t, false>;
template class Candidates<std::uint32_t, true>;
template class Candidates<std::uint32_t, false>;
template class ClassSearcher<std::uint16_t, true>;
template class ClassSearcher<std::uint16_t, false>;
template class ClassSearcher<std::uint32_t, true>;
template class ClassSearcher<std::uint32_t, false>;

}  // namespace boxwood
