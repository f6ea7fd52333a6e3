// What each file of the bindings adds to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace pyattn {

void bind_attention(pybind11::module_& m);
void bind_c_api(pybind11::module_& m);
void bind_layers(pybind11::module_& m);
void bind_rows(pybind11::module_& m);
void bind_runtime(pybind11::module_& m);
void bind_varlen(pybind11::module_& m);

}  // namespace pyattn
