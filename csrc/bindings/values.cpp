#include "values.h"

#include "reference.h"

namespace pyattn {

bool read_flag(py::handle object, Where where) {
  if (PyBool_Check(object.ptr())) return object.ptr() == Py_True;
  const std::string type = type_text(object);  // NumPy's own has had two names
  if (type != "bool" && type != "bool_") type_error(where, "is a " + type + "; expected True or False");
  return PyObject_IsTrue(object.ptr()) == 1;
}

std::vector<std::int64_t> read_integers(py::handle object, Where where, std::vector<std::int64_t>* shape) {
  const py::module_ numpy = py::module_::import("numpy");
  const py::array array = numpy.attr("asarray")(object);
  const char kind = array.dtype().kind();
  if (kind != 'i' && kind != 'u' && array.size() != 0)  // an empty list is float64 to NumPy
    type_error(where, "holds " + py::cast<std::string>(py::str(array.dtype())) + "; expected whole numbers");
  const auto whole = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(array);
  if (shape) shape->assign(whole.shape(), whole.shape() + whole.ndim());
  return {whole.data(), whole.data() + whole.size()};
}

double read_number(py::handle object, Where where) {
  const double x = PyFloat_AsDouble(object.ptr());
  if (x == -1 && PyErr_Occurred()) {
    const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError);
    PyErr_Clear();
    if (too_large) value_error(where, "is larger than any float; expected a finite number");
    type_error(where, "is a " + type_text(object) + "; expected a number, or None for the default");
  }
  return x;
}

std::vector<double> read_floats(py::handle object, Where where) {
  const Array a = view_floating(object, where);
  if (a.rank() != 1) value_error(where, "has shape " + shape_text(a.shape) + "; expected one axis");
  std::vector<double> values;
  for (std::int64_t i = 0; i < a.shape[0]; ++i) values.push_back(read_element(a.data + i * a.stride[0], a.dtype));
  return values;
}

}  // namespace pyattn
