// The door between Python and the core. Nothing is computed here.
#include "bindings/arrays.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of boxwood.";
    boxwood::bindings::define_routing(module);
    boxwood::bindings::define_growing(module);
}
