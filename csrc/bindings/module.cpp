#include "bindings.h"

PYBIND11_MODULE(_core, m) {
  m.doc() = "The compiled core of pyattn. Use pyattn, not this.";
  m.attr("__version__") = PYATTN_VERSION;
  pyattn::bind_attention(m);
  pyattn::bind_c_api(m);
  pyattn::bind_layers(m);
  pyattn::bind_rows(m);
  pyattn::bind_runtime(m);
  pyattn::bind_varlen(m);
}
