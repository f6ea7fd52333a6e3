#include "array_view.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "dlpack.h"
#include "reference.h"

namespace pyattn {
namespace {

// NumPy's type numbers, part of its ABI.
enum NumpyType { kNumpyBool = 0, kNumpyFloat = 11, kNumpyDouble = 12, kNumpyHalf = 23 };

constexpr const char* kFloatTypes = "float64, float32, float16 or bfloat16";

bool is_numpy_bfloat16(const py::dtype& dtype) {
  static int known = -1;  // the number ml_dtypes got when it registered its type
  if (dtype.num() == known) return true;
  if (dtype.itemsize() != 2 || dtype.num() < 256) return false;
  if (py::cast<std::string>(py::str(dtype)) != "bfloat16") return false;
  known = dtype.num();
  return true;
}

void read_numpy_type(Array& a, const py::array& array, Where where) {
  const py::dtype dtype = array.dtype();
  if (dtype.byteorder() == '>')
    type_error(where, "has dtype " + py::cast<std::string>(py::str(dtype)) +
                          " in foreign byte order; convert it with .astype(dtype.newbyteorder('='))");
  a.is_bool = dtype.num() == kNumpyBool;
  if (a.is_bool) return;
  if (dtype.num() == kNumpyFloat) a.dtype = DType::kFloat32;
  else if (dtype.num() == kNumpyDouble) a.dtype = DType::kFloat64;
  else if (dtype.num() == kNumpyHalf) a.dtype = DType::kFloat16;
  else if (is_numpy_bfloat16(dtype)) a.dtype = DType::kBFloat16;
  else
    type_error(where, "has dtype " + py::cast<std::string>(py::str(dtype)) + "; expected " + kFloatTypes +
                          " (convert with .astype)");
}

Array view_numpy(const py::array& array, Where where) {
  Array a;
  read_numpy_type(a, array, where);
  a.data = const_cast<char*>(static_cast<const char*>(array.data()));
  a.writable = array.writeable();
  a.shape.assign(array.shape(), array.shape() + array.ndim());
  a.stride.assign(array.strides(), array.strides() + array.ndim());
  a.owner = array;
  return a;
}

void read_dlpack_type(Array& a, const dlpack::DataType& t, Where where) {
  const int bits = t.bits;
  a.is_bool = t.code == dlpack::kBool && bits == 8;
  if (t.lanes == 1 && a.is_bool) return;
  if (t.lanes == 1 && t.code == dlpack::kFloat && bits == 64) a.dtype = DType::kFloat64;
  else if (t.lanes == 1 && t.code == dlpack::kFloat && bits == 32) a.dtype = DType::kFloat32;
  else if (t.lanes == 1 && t.code == dlpack::kFloat && bits == 16) a.dtype = DType::kFloat16;
  else if (t.lanes == 1 && t.code == dlpack::kBFloat && bits == 16) a.dtype = DType::kBFloat16;
  else {
    static const char* const names[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
    type_error(where, std::string("has dtype ") + (t.code < 7 ? names[t.code] : "unknown") + std::to_string(bits) +
                          "; expected " + kFloatTypes);
  }
}

// Takes the tensor out of a fresh capsule and gives it back when the last view of it goes.
py::capsule adopt(const py::object& capsule, dlpack::ManagedTensor*& managed, Where where) {
  managed = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (!managed) {
    PyErr_Clear();
    type_error(where, "gave no DLPack tensor");
  }
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  return py::capsule(managed, [](void* p) {
    auto* m = static_cast<dlpack::ManagedTensor*>(p);
    if (m->deleter) m->deleter(m);
  });
}

// Fake tensors, wrappers and freed storages of torch have shapes and no memory; a view of one even points somewhere.
// Its storage tells, and is asked only where nobody's memory begins as low.
bool has_memory(py::handle object, const Array& a) {
  constexpr std::uintptr_t kLow = std::uintptr_t(1) << 32;
  for (const std::int64_t n : a.shape)
    if (n == 0) return true;
  if (reinterpret_cast<std::uintptr_t>(a.data) >= kLow) return true;
  if (!py::hasattr(object, "untyped_storage")) return a.data != nullptr;
  try {
    return py::cast<std::uintptr_t>(object.attr("untyped_storage")().attr("data_ptr")()) != 0;
  } catch (py::error_already_set&) {
    return false;
  }
}

Array view_dlpack(py::handle object, Where where) {
  py::object capsule;
  try {
    const py::tuple device = object.attr("__dlpack_device__")();
    if (py::cast<int>(py::int_(device[0])) != dlpack::kCpu)
      type_error(where, "is on another device (DLPack device type " +
                            py::cast<std::string>(py::str(py::int_(device[0]))) +
                            "); pyattn computes on the CPU: move it there first");
    capsule = object.attr("__dlpack__")();
  } catch (py::error_already_set& e) {
    type_error(where, "cannot be read through DLPack: " + py::cast<std::string>(py::str(e.value())));
  }
  dlpack::ManagedTensor* managed = nullptr;
  Array a;
  a.owner = adopt(capsule, managed, where);
  const dlpack::Tensor& t = managed->tensor;
  read_dlpack_type(a, t.dtype, where);
  a.data = static_cast<char*>(t.data) + t.byte_offset;
  a.writable = true;
  a.shape.assign(t.shape, t.shape + t.ndim);
  a.stride.resize(a.shape.size());
  std::int64_t compact = t.dtype.bits / 8;
  for (int i = t.ndim - 1; i >= 0; --i) {
    const auto axis = static_cast<std::size_t>(i);
    a.stride[axis] = t.strides ? t.strides[i] * (t.dtype.bits / 8) : compact;
    compact *= a.shape[axis];
  }
  if (!has_memory(object, a)) type_error(where, "has a shape and no memory (a fake, wrapped or freed tensor)");
  return a;
}

struct Range { std::intptr_t first, end; };

std::int64_t item_size(const Array& a) {
  return a.is_bool ? 1 : a.dtype == DType::kFloat64 ? 8 : a.dtype == DType::kFloat32 ? 4 : 2;
}

Range memory_of(const Array& a) {
  Range r{reinterpret_cast<std::intptr_t>(a.data), reinterpret_cast<std::intptr_t>(a.data)};
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    if (a.shape[i] == 0) return {0, 0};
    const std::int64_t reach = (a.shape[i] - 1) * a.stride[i];
    (reach < 0 ? r.first : r.end) += reach;
  }
  r.end += item_size(a);
  return r;
}

// Do two NumPy arrays have an element in common? True also when that is too hard to tell.
bool share_elements(py::handle a, py::handle b) {
  // Side by side in one buffer, as the columns of a fused projection, is fine: ask exactly. But that can take for
  // ever, so with a limit, beyond which they count as overlapping.
  constexpr int kMostWork = 100000;
  try {
    return py::cast<bool>(py::module_::import("numpy").attr("shares_memory")(a, b, kMostWork));
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_RuntimeError)) throw;  // numpy.exceptions.TooHardError is one
    return true;
  }
}

}  // namespace

std::string type_text(py::handle object) {
  return py::cast<std::string>(py::str(py::type::handle_of(object).attr("__name__")));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

const char* dtype_name(DType dtype) {
  static const char* const names[] = {"float32", "float64", "float16", "bfloat16"};
  return names[static_cast<int>(dtype)];
}

void type_error(Where where, const std::string& message) { throw py::type_error(where.text() + " " + message + "."); }
void value_error(Where where, const std::string& message) { throw py::value_error(where.text() + " " + message + "."); }

Array view_array(py::handle object, Where where) {
  if (py::isinstance<py::array>(object)) {
    const bool plain = Py_TYPE(object.ptr()) == py::detail::npy_api::get().PyArray_Type_;
    if (!plain && py::hasattr(object, "mask"))
      type_error(where,
                 "is a masked array, whose mask would be ignored; pass .data and a mask that is True where one may "
                 "attend, or .filled(number)");
    return view_numpy(py::reinterpret_borrow<py::array>(object), where);
  }
  if (py::hasattr(object, "__dlpack__") && py::hasattr(object, "__dlpack_device__")) return view_dlpack(object, where);
  if (PyObject_CheckBuffer(object.ptr()) && !PyBytes_Check(object.ptr()) && !PyByteArray_Check(object.ptr()))
    return view_numpy(py::module_::import("numpy").attr("asarray")(object), where);
  type_error(
      where,
      "is a " + type_text(object) +
          "; expected an array (NumPy, or anything with the buffer protocol or DLPack): numpy.asarray makes one");
}

Array view_floating(py::handle object, Where where) {
  Array a = view_array(object, where);
  if (a.is_bool) type_error(where, std::string("has dtype bool; expected ") + kFloatTypes);
  return a;
}

Array view_boolean(py::handle object, Where where) {
  const std::string dtype = py::cast<std::string>(py::str(py::getattr(object, "dtype", py::str("bool"))));
  if (dtype.find("float") != std::string::npos)
    type_error(
        where,
        "has dtype " + dtype +
            "; expected bool, True where a query may look (a float array that is added to the scores goes to bias=)");
  if (dtype.find("bool") == std::string::npos)
    type_error(where,
               "has dtype " + dtype + "; expected bool, True where a query may look (convert with .astype(bool))");
  Array a = view_array(object, where);
  if (!a.is_bool)
    type_error(where, std::string("has dtype ") + dtype_name(a.dtype) + "; expected bool, True where a query may look");
  return a;
}

namespace {

// Whether two elements may lie in one place: not if every axis steps over all that the axes with smaller steps span.
bool reuses_memory(const Array& a) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // step in bytes, number of steps
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    if (a.shape[i] == 0) return false;
    if (a.shape[i] > 1) axes.emplace_back(std::abs(a.stride[i]), a.shape[i] - 1);
  }
  std::sort(axes.begin(), axes.end());
  std::int64_t span = item_size(a);
  for (const auto& [step, steps] : axes) {
    if (step < span) return true;
    span += step * steps;
  }
  return false;
}

}  // namespace

Array view_output(py::handle object, Where where, const std::vector<std::int64_t>& shape, DType dtype) {
  Array a = view_floating(object, where);
  if (a.shape != shape) value_error(where, "has shape " + shape_text(a.shape) + "; expected " + shape_text(shape));
  if (a.dtype != dtype)
    type_error(where, std::string("has dtype ") + dtype_name(a.dtype) + "; expected " + dtype_name(dtype));
  if (!a.writable) value_error(where, "is read-only; expected an array that can be written");
  if (reuses_memory(a))
    value_error(where,
                "has elements that share memory (as broadcast_to and as_strided make them); expected an "
                "array of its own");
  return a;
}

py::object new_numpy_array(const std::vector<std::int64_t>& shape, DType dtype) {
  switch (dtype) {
    case DType::kFloat32: return py::array_t<float>(shape);
    case DType::kFloat64: return py::array_t<double>(shape);
    case DType::kFloat16: {
      static const py::handle half = py::dtype("float16").release();
      return py::array(py::reinterpret_borrow<py::dtype>(half), shape);
    }
    case DType::kBFloat16: {
      const py::object bfloat16 = py::module_::import("ml_dtypes").attr("bfloat16");
      return py::module_::import("numpy").attr("empty")(py::cast(shape), bfloat16);
    }
  }
  return py::none();
}

bool may_overlap(const Array& out, const Array& in) {
  const Range a = memory_of(out), b = memory_of(in);
  if (a.end <= b.first || b.end <= a.first) return false;
  if (!py::isinstance<py::array>(out.owner) || !py::isinstance<py::array>(in.owner)) return true;
  return share_elements(out.owner, in.owner);
}

}  // namespace pyattn
