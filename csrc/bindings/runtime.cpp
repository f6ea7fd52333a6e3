#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "dispatch.h"

namespace pyattn {

void bind_runtime(pybind11::module_& m) {
  m.def("isa", [] { return std::string(kernels().isa); });
  m.def("available_isas", &available_isas);
  m.def("select_isa", &select_isa);
  m.def("lanes", [] { return kernels().lanes[0]; });
}

}  // namespace pyattn
