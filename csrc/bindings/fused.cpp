#include "fused.h"

#include "array_view.h"
#include "bindings.h"
#include "without_gil.h"

namespace pyattn {
namespace {

using Sizes = std::vector<std::int64_t>;

struct Rows {
  char* data;
  std::int64_t stride;  // bytes from row to row
};

DType whole_type(const Array& array, Where where) {
  if (static_cast<int>(array.dtype) >= kWholeTypes)
    type_error(where, std::string("is ") + dtype_name(array.dtype) + "; expected float32 or float64");
  return array.dtype;
}

// A (rows, columns) array of `dtype` whose rows have unit stride.
Rows view_rows(const Array& array, Where where, const Sizes& shape, DType dtype) {
  const std::int64_t size = dtype == DType::kFloat64 ? 8 : 4;
  if (array.dtype != dtype)
    type_error(where, std::string("is ") + dtype_name(array.dtype) + "; expected " + dtype_name(dtype));
  if (array.shape != shape)
    value_error(where, "has shape " + shape_text(array.shape) + "; expected " + shape_text(shape));
  const bool empty = shape.front() == 0 || shape.back() == 0;
  const bool unit = array.stride.back() == size || shape.back() == 1;
  if (!empty && !(unit && array.stride.front() % size == 0))
    value_error(where, "has rows whose elements are not next to each other; expected numpy.ascontiguousarray of it");
  return {array.data, array.stride.front()};
}

// What both functions share: x, out, and rows to go over.
struct Call {
  const char* function;
  Array x, out;
  std::vector<Array> owners;
  FusedArgs args{};

  Call(const char* name, py::handle x_object, py::handle out_object, int threads)
      : function(name), x(view_floating(x_object, {name, "x"})) {
    if (x.rank() != 2) value_error({name, "x"}, "has shape " + shape_text(x.shape) + "; expected (rows, columns)");
    const DType dtype = whole_type(x, {name, "x"});
    const Rows from = view_rows(x, {name, "x"}, x.shape, dtype);
    out = view_output(out_object, {name, "out"}, x.shape, dtype);
    const Rows to = view_rows(out, {name, "out"}, x.shape, dtype);
    refuse_partial_overlap(x, "x");
    args = {dtype,      {from.data, nullptr, nullptr, nullptr, nullptr, to.data, x.shape[1], 0},
            x.shape[0], from.stride,
            0,          to.stride,
            threads};
  }

  void refuse_partial_overlap(const Array& in, const char* name) const {
    const bool same = out.data == in.data && out.stride == in.stride;
    if (!same && may_overlap(out, in))
      value_error({function, "out"},
                  std::string("partly overlaps ") + name + "; expected " + name + " itself or an array of its own");
  }

  // One row for all, or null for None.
  const char* row(py::handle object, const char* name) {
    if (object.is_none()) return nullptr;
    owners.push_back(view_floating(object, {function, name}));
    return view_rows(owners.back(), {function, name}, {args.first.length}, args.dtype).data;
  }

  void add_residual(py::handle object) {
    if (object.is_none()) return;
    owners.push_back(view_floating(object, {function, "residual"}));
    const Rows rows = view_rows(owners.back(), {function, "residual"}, x.shape, args.dtype);
    refuse_partial_overlap(owners.back(), "residual");
    args.first.residual = rows.data;
    args.residual_stride = rows.stride;
  }
};

template <void (*activate)(const FusedArgs&)>
py::object activation_of_rows(const char* name, py::handle x, py::handle bias, py::handle out, int threads) {
  Call call(name, x, out, threads);
  call.args.first.bias = call.row(bias, "bias");
  without_gil([&] { activate(call.args); });
  return py::reinterpret_borrow<py::object>(out);
}

py::object relu_of_rows(py::handle x, py::handle bias, py::handle out, int threads) {
  return activation_of_rows<bias_relu>("bias_relu", x, bias, out, threads);
}

py::object gelu_of_rows(py::handle x, py::handle bias, py::handle out, int threads) {
  return activation_of_rows<bias_gelu>("bias_gelu", x, bias, out, threads);
}

py::object norm_of_rows(py::handle x, py::handle residual, py::handle bias, py::handle gamma, py::handle beta,
                        double eps, py::handle out, int threads) {
  Call call("residual_layer_norm", x, out, threads);
  FusedRow& first = call.args.first;
  call.add_residual(residual);
  first.bias = call.row(bias, "bias");
  first.gamma = call.row(gamma, "gamma");
  first.beta = call.row(beta, "beta");
  first.eps = eps;
  without_gil([&] { residual_layer_norm(call.args); });
  return py::reinterpret_borrow<py::object>(out);
}

}  // namespace

void bind_fused(py::module_& m) {
  m.def("bias_relu", &relu_of_rows, py::arg("x"), py::arg("bias").none(false), py::arg("out"), py::arg("threads"));
  m.def("bias_gelu", &gelu_of_rows, py::arg("x"), py::arg("bias").none(false), py::arg("out"), py::arg("threads"));
  m.def("residual_layer_norm", &norm_of_rows, py::arg("x"), py::arg("residual"), py::arg("bias"),
        py::arg("gamma").none(false), py::arg("beta").none(false), py::arg("eps"), py::arg("out"), py::arg("threads"));
}

}  // namespace pyattn
