// Arrays of any provider as plain views, and what to say when one does not fit.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "types.h"

namespace pyattn {

namespace py = pybind11;

// An argument as it came: strides in bytes. `owner` keeps the memory alive.
struct Array {
  char* data = nullptr;
  bool is_bool = false;
  DType dtype = DType::kFloat32;
  bool writable = false;
  std::vector<std::int64_t> shape, stride;
  py::object owner;

  int rank() const { return int(shape.size()); }
};

// Which argument of which function, for messages.
struct Where {
  const char* function;
  const char* argument;
  std::string text() const { return std::string(function) + ": " + argument; }
};

std::string type_text(py::handle object);
std::string shape_text(const std::vector<std::int64_t>& shape);
const char* dtype_name(DType dtype);

// A floating or boolean array from the buffer protocol or DLPack. TypeError for anything else.
Array view_array(py::handle object, Where where);
Array view_floating(py::handle object, Where where);
Array view_boolean(py::handle object, Where where);
Array view_output(py::handle object, Where where, const std::vector<std::int64_t>& shape, DType dtype);

// A new NumPy array; bfloat16 by ml_dtypes.
py::object new_numpy_array(const std::vector<std::int64_t>& shape, DType dtype);

// Could writing `out` change `in`?
bool may_overlap(const Array& out, const Array& in);

[[noreturn]] void type_error(Where where, const std::string& message);
[[noreturn]] void value_error(Where where, const std::string& message);

}  // namespace pyattn
