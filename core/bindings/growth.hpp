// What both growers hand to Python and take from it.
#pragma once

#include "bindings/arrays.hpp"
#include "grow/output.hpp"
#include "threads/monitor.hpp"

namespace boxwood::bindings {

// Signals are looked at and the caller's poll is asked with the GIL held; an error in either ends the growth.
inline Monitor::Poll poll_of(nb::object poll) {
    return [poll = std::move(poll)](double done) {
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !poll.is_none() && nb::cast<bool>(nb::bool_(poll(done)));
    };
}

// The arrays of boxwood.tree.Tree by name, but for what describes a node's rows; and how many cuts there were.
inline nb::dict structure_of(GrownTree& tree) {
    nb::dict out;
    out["kind"] = give(std::move(tree.kind));
    out["feature"] = give(std::move(tree.feature));
    out["threshold"] = give(std::move(tree.threshold));
    out["first_child"] = give(std::move(tree.first_child));
    out["n_children"] = give(std::move(tree.n_children));
    out["missing_branch"] = give(std::move(tree.missing_branch));
    out["unknown_branch"] = give(std::move(tree.unknown_branch));
    out["category_offset"] = give(std::move(tree.category_offset));
    out["category_code"] = give(std::move(tree.category_code));
    out["category_branch"] = give(std::move(tree.category_branch));
    out["n_rows"] = give(std::move(tree.n_rows));
    out["weight"] = give(std::move(tree.weight));
    out["impurity"] = give(std::move(tree.impurity));
    out["score"] = give(std::move(tree.score));
    if (!tree.p_value.empty()) out["p_value"] = give(std::move(tree.p_value));
    out["n_cuts"] = tree.n_cuts;
    out["n_cuts_evaluated"] = tree.n_evaluated;
    return out;
}

}  // namespace boxwood::bindings
