// Every pair and triple of features counted once.
//
// Included by one file per instruction set, which defines before, in an unnamed
// namespace, `Simd` (vectors of bytes, and how to count rows in them) and
// `Lanes<T>` (vectors of numbers). Nothing of the standard library is used
// here, so that no shared inline function is compiled for one machine only.
//
// Problem. For one part of the rows, the best tree of depth three with every
// root: for all features r (root) and x (child), and the four values (a, b) of
// the two, the best way to spend one more split y on the cell {r = a, x = b}.
//
// Idea. The eight cells of three features follow from their single, pair and
// triple sums by subtraction (inclusion and exclusion), and one triple serves
// six choices of (r, x). Sort the columns by support and turn them so that each
// has at most half of its ones; then for f < g < h the triple sum is taken over
// the rows of f alone, the sparsest of the three. So
//
//     best[f][g][a, b] = min over h of e(a, b, h = 0) + e(a, b, h = 1),
//
// and likewise for the pairs (f, h) and (g, h): twelve sums and minima per
// triple, side by side for a whole vector of features h. `best` starts at the
// cell's own leaf, so that it means "at most one split". This is dense counting
// instead of the depth-two kernel of MurTree (Demirovic et al. 2022), which
// counts each triple three times, once per root, in tables three times as long.
//
// Counting. The rows of f, slice by slice, are packed four or eight to a byte:
// packed[j][h] holds some rows of column h. For a fixed g, one byte shuffle
// (four rows: table of popcount(i & v)), or an and with a population count
// (eight rows), counts a whole vector of columns h at once; results come out in
// the order in which they are needed.
//
// Forms. The value of a cell is the smallest of its planes, or in the form
// kLargest the largest ("right" instead of "wrong"; the minima turn into
// maxima). With two classes the smaller of the two counts is the number of
// errors. With `masked`, sums that need a cell below the least size are left
// out; a cell too small to be a leaf at all is for the caller to see.
//
// No lane is masked for its place: in the first vector of a sweep, lanes h <= g
// are other third features, or repeat f or g, and padding columns are constant;
// all of these are harmless, and what lands in the unused half of the table is
// never read.
//
// Complexity: n^3 / 6 triples, each rows(f) / (rows per byte) / (lanes) steps to
// count and some 60 / (lanes) to evaluate, per plane.

// Number of lanes of T in one vector of bytes.
template <class T>
constexpr std::size_t kLanes = Simd::kBytes / sizeof(T);

void support(const std::uint64_t* columns, std::size_t n_columns, std::size_t n_words, const Local& local,
             const std::uint64_t* multipliers, std::uint32_t* count, std::uint64_t* hash) {
    for (std::size_t f = 0; f < n_columns; ++f) {
        const std::uint64_t* column = columns + f * n_words;
        std::uint64_t sum = 0;
        std::uint32_t ones = 0;
        for (std::size_t i = 0; i < local.n_live; ++i) {
            const std::uint32_t w = local.live[i];
            const std::uint64_t word = column[w] & local.mask[w];
            ones += static_cast<std::uint32_t>(Simd::popcount(word));
            sum += word * multipliers[w];
        }
        count[f] = ones;
        hash[f] = sum;
    }
}

void compact(const Local& local, std::uint64_t* bits, std::size_t words, std::size_t first, const std::uint64_t* inside,
             std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < local.n; ++j) {
        const std::uint64_t* column = local.column[j];
        const std::uint64_t flip = local.flipped[j] ? ~std::uint64_t{0} : 0;
        std::uint64_t* out = bits + j * words + first;
        std::uint64_t word = 0;
        unsigned filled = 0;
        for (std::size_t i = 0; i < local.n_live; ++i) {
            const std::size_t w = local.live[i];
            if (w < begin || w >= end) continue;
            const std::uint64_t chosen = inside ? local.mask[w] & inside[w - begin] : local.mask[w];
            if (chosen == 0) continue;
            const std::uint64_t got = Simd::extract(column[w] ^ flip, chosen);
            const auto count = static_cast<unsigned>(Simd::popcount(chosen));
            word |= got << filled;
            if (filled + count >= 64) {
                *out++ = word;
                word = filled == 0 ? 0 : got >> (64 - filled);
                filled = filled + count - 64;
                if (filled == 0) word = 0;
            } else {
                filled += count;
            }
        }
        if (filled > 0) *out = word;
    }
}

// Blocks of eight columns by eight rows: the bits are transposed, and each byte spread over eight.
void expand(const Local& local) {
    const std::size_t stride = local.width;
    for (std::size_t j = 0; j < stride; j += 8) {
        const std::uint8_t* from[8];
        const std::size_t have = j >= local.n ? 0 : (local.n - j < 8 ? local.n - j : 8);
        for (std::size_t c = 0; c < have; ++c) {
            from[c] = reinterpret_cast<const std::uint8_t*>(local.row_bits + (j + c) * local.row_words);
        }
        for (std::size_t block = 0; block < local.row_words * 8; ++block) {
            std::uint64_t x = 0;
            for (std::size_t c = 0; c < have; ++c) x |= std::uint64_t{from[c][block]} << (8 * c);
            std::uint8_t* out = local.cells + block * 8 * stride + j;
            if (x == 0) {
                for (std::size_t r = 0; r < 8; ++r) std::memset(out + r * stride, 0, 8);
                continue;
            }
            x = (x & 0xAA55AA55AA55AA55ULL) | ((x & 0x00AA00AA00AA00AAULL) << 7) | ((x >> 7) & 0x00AA00AA00AA00AAULL);
            x = (x & 0xCCCC3333CCCC3333ULL) | ((x & 0x0000CCCC0000CCCCULL) << 14) | ((x >> 14) & 0x0000CCCC0000CCCCULL);
            x = (x & 0xF0F0F0F00F0F0F0FULL) | ((x & 0x00000000F0F0F0F0ULL) << 28) | ((x >> 28) & 0x00000000F0F0F0F0ULL);
            for (std::size_t r = 0; r < 8; ++r) {
                const std::uint64_t row = (x >> (8 * r)) & 255;
                std::uint64_t spread = (row * 0x0101010101010101ULL) & 0x8040201008040201ULL;
                spread = ((spread + 0x7f7f7f7f7f7f7f7fULL) >> 7) & 0x0101010101010101ULL;
                std::memcpy(out + r * stride, &spread, 8);
            }
        }
    }
}

// The entries of column j in one slice; returns how many.
inline std::size_t list_entries(const Local& local, std::size_t j, std::size_t slice, std::uint32_t* out) {
    const std::size_t from = local.slices[slice].first;
    const std::size_t to = slice + 1 < local.n_slices ? local.slices[slice + 1].first : local.words;
    const std::uint64_t* bits = local.bits + j * local.words;
    std::size_t count = 0;
    for (std::size_t w = from; w < to; ++w) {
        for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
            const std::size_t entry = w * 64 + static_cast<std::size_t>(Simd::lowest(word));
            out[count++] = local.row_of ? local.row_of[entry] : static_cast<std::uint32_t>(entry);
        }
    }
    return count;
}

template <class T>
void clear(T* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = 0;
}

// The sums over the rows of column j, plane by plane, without looking at other columns.
template <class T>
void add_single(const Local& local, std::size_t j, T* single) {
    const std::uint64_t* bits = local.bits + j * local.words;
    for (std::size_t s = 0; s < local.n_slices; ++s) {
        const std::size_t to = s + 1 < local.n_slices ? local.slices[s + 1].first : local.words;
        T count = 0;
        for (std::size_t w = local.slices[s].first; w < to; ++w) count += static_cast<T>(Simd::popcount(bits[w]));
        T& sum = single[static_cast<std::size_t>(local.slices[s].plane) * local.width + j];
        sum = static_cast<T>(sum + (count << local.slices[s].shift));
    }
}

// out[h] += 2^shift * (number of the listed rows with column h), h over all columns.
template <class T>
void add_rows(const Local& local, const std::uint32_t* rows, std::size_t n, int shift, T* out) {
    for (std::size_t h = 0; h < local.width; h += Simd::kBytes) {
        for (std::size_t done = 0; done < n;) {
            const std::size_t stop = n - done < 255 ? n : done + 255;
            auto sum = Simd::zero();
            for (std::size_t i = done; i < stop; ++i) {
                sum = Simd::add(sum, Simd::load(local.cells + rows[i] * local.width + h));
            }
            Simd::template add_to<T>(out + h, sum, shift);
            done = stop;
        }
    }
}

// The rows of column f, slice by slice, packed; only columns from `from` on. The place of each slice goes to `start`.
void pack(const Local& local, std::size_t f, std::size_t from, std::uint8_t* out, std::uint32_t* start) {
    std::uint32_t at = 0;
    const std::uint8_t* rows[8];
    for (std::size_t s = 0; s < local.n_slices; ++s) {
        start[s] = at;
        const std::size_t n = list_entries(local, f, s, local.listed);
        for (std::size_t i = 0; i < n; i += Simd::kRows, ++at) {
            const std::size_t have = n - i < Simd::kRows ? n - i : Simd::kRows;
            for (std::size_t r = 0; r < have; ++r) rows[r] = local.cells + local.listed[i + r] * local.width;
            std::uint8_t* to = out + at * local.width;
            for (std::size_t h = from; h < local.width; h += Simd::kBytes) {
                auto sum = Simd::load(rows[have - 1] + h);
                for (std::size_t r = have - 1; r-- > 0;) sum = Simd::add(Simd::add(sum, sum), Simd::load(rows[r] + h));
                Simd::store(to + h, sum);
            }
        }
    }
    start[local.n_slices] = at;
}

template <std::size_t kVectors, class T>
inline void count_block(const std::uint8_t* packed, std::size_t stride, std::size_t g, std::size_t n, int shift,
                        bool fresh, T* out, std::size_t h) {
    constexpr std::size_t kMost = 255 / Simd::kRows;
    for (std::size_t done = 0; done < n;) {
        const std::size_t stop = n - done < kMost ? n : done + kMost;
        typename Simd::V sum[kVectors];
        for (std::size_t b = 0; b < kVectors; ++b) sum[b] = Simd::zero();
        const std::uint8_t* at = packed + done * stride;
        for (std::size_t j = done; j < stop; ++j, at += stride) {
            const auto key = Simd::key(at[g]);
            for (std::size_t b = 0; b < kVectors; ++b) {
                sum[b] = Simd::add(sum[b], Simd::match(key, Simd::load(at + h + b * Simd::kBytes)));
            }
        }
        for (std::size_t b = 0; b < kVectors; ++b) {
            if (fresh) {
                Simd::template set_to<T>(out + h + b * Simd::kBytes, sum[b], shift);
            } else {
                Simd::template add_to<T>(out + h + b * Simd::kBytes, sum[b], shift);
            }
        }
        fresh = false;
        done = stop;
    }
}

// triple[plane][h] for h from `from` on: sums over the rows with f and g and h.
template <class T>
void count_triples(const Local& local, const std::uint8_t* packed, const std::uint32_t* start, std::size_t g,
                   std::size_t from) {
    T* triple = static_cast<T*>(local.triple);
    for (std::size_t s = 0; s < local.n_slices; ++s) {
        const std::size_t n = start[s + 1] - start[s];
        const bool fresh = s == 0 || local.slices[s].plane != local.slices[s - 1].plane;
        T* out = triple + static_cast<std::size_t>(local.slices[s].plane) * local.width;
        if (n == 0) {
            if (fresh) clear(out + from, local.width - from);
            continue;
        }
        const std::uint8_t* at = packed + start[s] * local.width;
        const int shift = local.slices[s].shift;
        std::size_t h = from;
        for (; h + 4 * Simd::kBytes <= local.width; h += 4 * Simd::kBytes) {
            count_block<4>(at, local.width, g, n, shift, fresh, out, h);
        }
        switch ((local.width - h) / Simd::kBytes) {
            case 3: count_block<3>(at, local.width, g, n, shift, fresh, out, h); break;
            case 2: count_block<2>(at, local.width, g, n, shift, fresh, out, h); break;
            case 1: count_block<1>(at, local.width, g, n, shift, fresh, out, h); break;
            default: break;
        }
    }
}

// So many that one column is work enough between two looks at the clock.
inline bool has_many_rows(const Local& local) {
    return local.words >= 512;
}

template <class T, Form kForm, bool kMasked>
struct Evaluate {
    using L = Lanes<T>;
    using V = typename L::V;
    static constexpr bool kLargest = kForm == Form::kLargest;

    static V better(V a, V b) { return kLargest ? L::max(a, b) : L::min(a, b); }
    static T better(T a, T b) { return kLargest ? (a > b ? a : b) : (a < b ? a : b); }
    static void improve(T* at, V value) { L::store(at, better(L::load(at), value)); }

    // Values, and whether they are too small, of cells whose planes are fed one by one.
    template <std::size_t kCells>
    struct Cells {
        V value[kCells], sum[kCells], small[kCells];

        void first(const V* cell) {
            for (std::size_t c = 0; c < kCells; ++c) {
                value[c] = cell[c];
                if (kMasked) sum[c] = cell[c], small[c] = L::zero();
            }
        }
        void next(const V* cell) {
            for (std::size_t c = 0; c < kCells; ++c) {
                value[c] = better(value[c], cell[c]);
                if (kMasked) sum[c] = L::add(sum[c], cell[c]);
            }
        }
        void size(const V* cell, V least) {
            for (std::size_t c = 0; c < kCells; ++c) small[c] = L::either(small[c], L::less(cell[c], least));
        }
        // The cost of two cells together; never the better one if one of them is too small.
        V both(std::size_t a, std::size_t b) const {
            const V sum_of = L::add(value[a], value[b]);
            if (!kMasked) return sum_of;
            const V bad = L::either(small[a], small[b]);
            return kLargest ? L::without(sum_of, bad) : L::either(sum_of, bad);
        }
    };

    static T clipped(std::int64_t least) {
        const auto most = static_cast<std::uint64_t>(static_cast<T>(~T{0}));
        return static_cast<std::uint64_t>(least) > most ? static_cast<T>(most) : static_cast<T>(least);
    }

    // best[f][.][h]: the leaf values of the four cells of each pair.
    static void start(const Local& local, std::size_t f) {
        const T* single = static_cast<const T*>(local.single);
        const std::size_t width = local.width, planes = local.n_planes;
        const T* pair = static_cast<const T*>(local.pairs) + f * (planes + local.n_further) * width;
        T* best = static_cast<T*>(local.best) + f * 4 * width;
        for (std::size_t h = 0; h < local.n; h += kLanes<T>) {
            V value[4];
            for (std::size_t c = 0; c < 4; ++c) value[c] = kLargest ? L::zero() : L::ones();
            for (std::size_t p = 0; p < planes; ++p) {
                const V both = L::load(pair + p * width + h), second = L::load(single + p * width + h);
                const T first = single[p * width + f], all = static_cast<T>(local.sums[p]);
                V cell[4];
                cell[3] = both;
                cell[2] = L::sub(L::set(first), both);
                cell[1] = L::sub(second, both);
                cell[0] = L::sub(L::set(static_cast<T>(all - first)), cell[1]);
                for (std::size_t c = 0; c < 4; ++c) value[c] = better(value[c], cell[c]);
            }
            for (std::size_t c = 0; c < 4; ++c) L::store(best + c * width + h, value[c]);
        }
    }

    // best of the pairs that were counted before.
    static void resume(const Local& local) {
        const T* from = static_cast<const T*>(local.settled);
        for (std::size_t f = local.n_fresh; f + 1 < local.n; ++f) {
            for (std::size_t c = 0; c < 4; ++c) {
                T* to = static_cast<T*>(local.best) + (f * 4 + c) * local.width;
                for (std::size_t g = f + 1; g < local.n; ++g) to[g] = *from++;
            }
        }
    }

    static void triples(const Local& local, std::size_t f, std::size_t g, V* constant) {
        const std::size_t width = local.width;
        const std::size_t planes = kForm == Form::kSmallestOfTwo ? 2 : local.n_planes;
        const std::size_t every = local.n_planes + local.n_further;
        const T* single = static_cast<const T*>(local.single);
        const T* triple = static_cast<const T*>(local.triple);
        const T* pair_f = static_cast<const T*>(local.pairs) + f * every * width;
        const T* pair_g = static_cast<const T*>(local.pairs) + g * every * width;
        T* best_f = static_cast<T*>(local.best) + f * 4 * width;
        T* best_g = static_cast<T*>(local.best) + g * 4 * width;
        for (std::size_t p = 0; p < every; ++p) {
            const T in_f = single[p * width + f], in_g = single[p * width + g], in_both = pair_f[p * width + g];
            constant[4 * p] = L::set(in_both);
            constant[4 * p + 1] = L::set(static_cast<T>(in_f - in_both));
            constant[4 * p + 2] = L::set(static_cast<T>(in_g - in_both));
            constant[4 * p + 3] = L::set(static_cast<T>(static_cast<T>(local.sums[p]) - in_f - in_g + in_both));
        }
        V pair[4];
        for (std::size_t c = 0; c < 4; ++c) pair[c] = kLargest ? L::zero() : L::ones();
        for (std::size_t h = (g + 1) / kLanes<T> * kLanes<T>; h < local.n; h += kLanes<T>) {
            Cells<8> cells;
            V cell[8];
            const auto cut = [&](std::size_t p) {
                const std::size_t at = p * width + h;
                const V fh = L::load(pair_f + at), gh = L::load(pair_g + at), in_h = L::load(single + at);
                cell[7] = L::load(triple + at);
                cell[5] = L::sub(fh, cell[7]);
                cell[3] = L::sub(gh, cell[7]);
                cell[1] = L::sub(L::sub(in_h, fh), cell[3]);
                cell[6] = L::sub(constant[4 * p], cell[7]);
                cell[4] = L::sub(constant[4 * p + 1], cell[5]);
                cell[2] = L::sub(constant[4 * p + 2], cell[3]);
                cell[0] = L::sub(constant[4 * p + 3], cell[1]);
            };
            cut(0);
            cells.first(cell);
            for (std::size_t p = 1; p < planes; ++p) {
                cut(p);
                cells.next(cell);
            }
            if (kMasked) {
                if (local.least_sum > 1) cells.size(cells.sum, L::set(clipped(local.least_sum)));
                for (std::size_t e = 0; e < local.n_further; ++e) {
                    cut(local.n_planes + e);
                    cells.size(cell, L::set(clipped(local.least_further[e])));
                }
            }
            for (std::size_t c = 0; c < 4; ++c) pair[c] = better(pair[c], cells.both(2 * c, 2 * c + 1));
            improve(best_f + 3 * width + h, cells.both(7, 5));
            improve(best_f + 2 * width + h, cells.both(6, 4));
            improve(best_f + 1 * width + h, cells.both(3, 1));
            improve(best_f + 0 * width + h, cells.both(2, 0));
            improve(best_g + 3 * width + h, cells.both(7, 3));
            improve(best_g + 2 * width + h, cells.both(6, 2));
            improve(best_g + 1 * width + h, cells.both(5, 1));
            improve(best_g + 0 * width + h, cells.both(4, 0));
        }
        for (std::size_t c = 0; c < 4; ++c) {
            T& found = best_f[c * width + g];
            found = better(found, kLargest ? L::largest(pair[c]) : L::smallest(pair[c]));
        }
    }

    static bool run(const Local& local, int depth) {
        const std::size_t width = local.width, every = local.n_planes + local.n_further;
        T* single = static_cast<T*>(local.single);
        T* pairs = static_cast<T*>(local.pairs);
        clear(single, every * width);
        if (depth < 2) {
            for (std::size_t f = 0; f < local.n; ++f) add_single(local, f, single);
            return true;
        }
        clear(pairs, local.n * every * width);
        for (std::size_t f = 0; f < local.n; ++f) {
            if ((f % 16 == 0 || has_many_rows(local)) && local.stop(local.context)) return false;
            for (std::size_t s = 0; s < local.n_slices; ++s) {
                const std::size_t n = list_entries(local, f, s, local.listed);
                const auto plane = static_cast<std::size_t>(local.slices[s].plane);
                add_rows(local, local.listed, n, local.slices[s].shift, pairs + (f * every + plane) * width);
            }
            for (std::size_t p = 0; p < every; ++p) single[p * width + f] = pairs[(f * every + p) * width + f];
        }
        for (std::size_t f = 0; f < local.n; ++f) start(local, f);
        if (depth < 3) return true;
        resume(local);
        return sweep(local);
    }

    // Four features f at a time: the rows g of the tables are then in the nearest cache for three of them.
    static bool sweep(const Local& local) {
        constexpr std::size_t kTile = 4;
        V* const constants = static_cast<V*>(local.constants);
        // A triple with a fresh column has one in front.
        for (std::size_t f0 = 0; f0 < local.n_fresh; f0 += kTile) {
            const std::size_t f1 = f0 + kTile < local.n_fresh ? f0 + kTile : local.n_fresh;
            for (std::size_t f = f0; f < f1; ++f) {
                pack(local, f, (f + 1) / Simd::kBytes * Simd::kBytes, local.packed[f - f0],
                     local.starts + (f - f0) * (local.n_slices + 1));
            }
            for (std::size_t g = f0 + 1; g + 1 < local.n; ++g) {
                if ((g % 64 == 1 || has_many_rows(local)) && local.stop(local.context)) return false;
                for (std::size_t f = f0; f < f1 && f < g; ++f) {
                    const std::size_t from = (g + 1) / Simd::kBytes * Simd::kBytes;
                    count_triples<T>(local, local.packed[f - f0], local.starts + (f - f0) * (local.n_slices + 1), g,
                                     from);
                    triples(local, f, g, constants);
                }
            }
        }
        return true;
    }
};

template <class T>
bool count(const Local& local, Form form, bool masked, int depth) {
    switch (form) {
        case Form::kSmallestOfTwo:
            return masked ? Evaluate<T, Form::kSmallestOfTwo, true>::run(local, depth)
                          : Evaluate<T, Form::kSmallestOfTwo, false>::run(local, depth);
        case Form::kSmallest:
            return masked ? Evaluate<T, Form::kSmallest, true>::run(local, depth)
                          : Evaluate<T, Form::kSmallest, false>::run(local, depth);
        default:
            return masked ? Evaluate<T, Form::kLargest, true>::run(local, depth)
                          : Evaluate<T, Form::kLargest, false>::run(local, depth);
    }
}
