// numpy arrays in and out of the core, without copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data/buffer.hpp"
#include "data/column.hpp"

namespace boxwood::bindings {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

template <class T>
std::span<const T> span(const Array<T>& array) {
    return {array.data(), array.size()};
}

// A vector handed to numpy, which frees it.
template <class T, class Allocator>
nb::ndarray<nb::numpy, T> give(std::vector<T, Allocator>&& values, std::vector<std::size_t> shape = {}) {
    using Vector = std::vector<T, Allocator>;
    auto* kept = new Vector(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Vector*>(p); });
    if (shape.empty()) shape = {kept->size()};
    return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

struct Columns {
    std::vector<Column> columns;
    std::size_t n_rows = 0;
};

// Columns of one table: float64 (numeric) or int32 (categorical), of equal length, any stride.
inline Columns columns_of(const std::vector<AnyColumn>& arrays, const std::int32_t* n_categories) {
    Columns out;
    out.columns.reserve(arrays.size());
    for (std::size_t j = 0; j < arrays.size(); ++j) {
        const AnyColumn& array = arrays[j];
        if (j > 0 && array.shape(0) != out.n_rows) throw std::invalid_argument("columns differ in length");
        out.n_rows = array.shape(0);
        const bool number = array.dtype() == nb::dtype<double>();
        if (!number && array.dtype() != nb::dtype<std::int32_t>()) {
            throw std::invalid_argument("column " + std::to_string(j) + " is neither float64 nor int32");
        }
        out.columns.push_back({reinterpret_cast<const std::byte*>(array.data()),
                               array.stride(0) * static_cast<std::ptrdiff_t>(number ? 8 : 4),
                               n_categories ? n_categories[j] : 0, !number});
    }
    return out;
}

void define_routing(nb::module_& module);
void define_growing(nb::module_& module);
void define_regressing(nb::module_& module);
void define_grouping(nb::module_& module);
void define_discretizing(nb::module_& module);
void define_optimal(nb::module_& module);
void define_pruning(nb::module_& module);

}  // namespace boxwood::bindings
