// The door between Python and the core. Nothing is computed here.
#include "bindings/arrays.hpp"

NB_MODULE(_core, module) {
    // What is still held when the interpreter ends (by a notebook, a test runner) is not a leak.
    nanobind::set_leak_warnings(false);
    module.doc() = "The compiled core of boxwood.";
    boxwood::bindings::define_routing(module);
    boxwood::bindings::define_growing(module);
    boxwood::bindings::define_regressing(module);
    boxwood::bindings::define_grouping(module);
    boxwood::bindings::define_discretizing(module);
    boxwood::bindings::define_optimal(module);
    boxwood::bindings::define_pruning(module);
}
