// Arguments that are plain values: numbers, flags, short lists, copied.
#pragma once

#include "array_view.h"

namespace pyattn {

bool read_flag(py::handle object, Where where);  // Python's and NumPy's True and False
double read_number(py::handle object, Where where);
// Ints and integer arrays.
std::vector<std::int64_t> read_integers(py::handle object, Where where, std::vector<std::int64_t>* shape = nullptr);
std::vector<double> read_floats(py::handle object, Where where);  // one axis

}  // namespace pyattn
