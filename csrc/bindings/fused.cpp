#include "fused.h"

#include "array_view.h"
#include "bindings.h"
#include "without_gil.h"

namespace pyattn {
namespace {

using Sizes = std::vector<std::int64_t>;

struct Rows {
  float* data;
  std::int64_t stride;  // elements from row to row
};

// A (rows, columns) float32 array whose rows have unit stride.
Rows view_rows(const Array& array, Where where, const Sizes& shape) {
  if (array.dtype != DType::kFloat32)
    type_error(where, std::string("is ") + dtype_name(array.dtype) + "; expected float32");
  if (array.shape != shape)
    value_error(where, "has shape " + shape_text(array.shape) + "; expected " + shape_text(shape));
  const bool empty = shape.front() == 0 || shape.back() == 0;
  const bool unit = array.stride.back() == sizeof(float) || shape.back() == 1;
  if (!empty && !(unit && array.stride.front() % std::int64_t(sizeof(float)) == 0))
    value_error(where, "has rows whose elements are not next to each other; expected numpy.ascontiguousarray of it");
  return {reinterpret_cast<float*>(array.data), array.stride.front() / std::int64_t(sizeof(float))};
}

// One row for all, or null for None.
const float* view_row(py::handle object, Where where, std::int64_t length, std::vector<Array>& owners) {
  if (object.is_none()) return nullptr;
  owners.push_back(view_floating(object, where));
  return view_rows(owners.back(), where, {length}).data;
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
    const Rows from = view_rows(x, {name, "x"}, x.shape);
    out = view_output(out_object, {name, "out"}, x.shape, DType::kFloat32);
    const Rows to = view_rows(out, {name, "out"}, x.shape);
    refuse_partial_overlap(x, "x");
    args = {{from.data, nullptr, nullptr, nullptr, nullptr, to.data, x.shape[1], 0},
            x.shape[0],
            from.stride,
            0,
            to.stride,
            threads};
  }

  void refuse_partial_overlap(const Array& in, const char* name) const {
    const bool same = out.data == in.data && out.stride == in.stride;
    if (!same && may_overlap(out, in))
      value_error({function, "out"},
                  std::string("partly overlaps ") + name + "; expected " + name + " itself or an array of its own");
  }

  const float* row(py::handle object, const char* name) {
    return view_row(object, {function, name}, args.first.length, owners);
  }
};

py::object gelu_of_rows(py::handle x, py::handle bias, py::handle out, int threads) {
  Call call("bias_gelu", x, out, threads);
  call.args.first.bias = call.row(bias, "bias");
  without_gil([&] { bias_gelu(call.args); });
  return py::reinterpret_borrow<py::object>(out);
}

py::object norm_of_rows(py::handle x, py::handle residual, py::handle bias, py::handle gamma, py::handle beta,
                        float eps, py::handle out, int threads) {
  Call call("residual_layer_norm", x, out, threads);
  const Where where{"residual_layer_norm", "residual"};
  const Array added = view_floating(residual, where);
  const Rows rows = view_rows(added, where, call.x.shape);
  call.refuse_partial_overlap(added, "residual");
  FusedRow& first = call.args.first;
  first.residual = rows.data;
  call.args.residual_stride = rows.stride;
  first.bias = call.row(bias, "bias");
  first.gamma = call.row(gamma, "gamma");
  first.beta = call.row(beta, "beta");
  first.eps = eps;
  without_gil([&] { residual_layer_norm(call.args); });
  return py::reinterpret_borrow<py::object>(out);
}

}  // namespace

void bind_fused(py::module_& m) {
  m.def("bias_gelu", &gelu_of_rows, py::arg("x"), py::arg("bias").none(false), py::arg("out"), py::arg("threads"));
  m.def("residual_layer_norm", &norm_of_rows, py::arg("x"), py::arg("residual"), py::arg("bias"),
        py::arg("gamma").none(false), py::arg("beta").none(false), py::arg("eps"), py::arg("out"), py::arg("threads"));
}

}  // namespace pyattn
