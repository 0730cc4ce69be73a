// Memory in whole pages, from the system and back to it; what one growth gives
// back is kept for what it asks next.
//
// The first write to a page is a trap into the kernel, which clears the page: some
// 3 microseconds for 4 KiB in a virtual machine, so that the arrays of a tree of a
// million leaves cost a third of a second before anything is written to them. The
// lists that the tree was grown from have been written already, are as large, and
// are freed right before: where a KeptPages lives, pages that are freed stay and
// are handed out again, those first that have been written. When the last KeptPages
// goes, all free pages go back to the system.
//
// A range of pages may be given back in parts and joined with its neighbours, for
// the system takes any range of pages: this is what malloc cannot do, and why these
// pages do not come from there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace boxwood {

inline constexpr std::size_t kPage = std::size_t{1} << 16;  // the system's own are of 4, 16 or 64 KiB
inline constexpr std::size_t kLargePage = std::size_t{1} << 21;

// Free ranges by address. Neighbours are joined; a request takes the smallest range that holds it.
class PageRanges {
  public:
    void give(std::uintptr_t begin, std::size_t bytes);
    // The begin of a range that was free and is not any more.
    std::optional<std::uintptr_t> take(std::size_t bytes, std::size_t alignment);
    const std::map<std::uintptr_t, std::size_t>& all() const { return bytes_at_; }
    void clear() { bytes_at_.clear(); }

  private:
    std::map<std::uintptr_t, std::size_t> bytes_at_;
};

// Uninitialised memory for some bytes, in whole pages or whole large pages, or std::bad_alloc; and its way back.
void* allocate_pages(std::size_t bytes, std::size_t page);
void free_pages(void* pages, std::size_t bytes, std::size_t page);

// While one lives, free pages are kept.
class KeptPages {
  public:
    KeptPages();
    ~KeptPages();
    KeptPages(const KeptPages&) = delete;
    KeptPages& operator=(const KeptPages&) = delete;
};

}  // namespace boxwood
