#include <algorithm>

#include "array_view.h"
#include "bindings.h"
#include "layer_norm.h"
#include "linear.h"
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

void require_type(const Array& array, Where where, DType dtype) {
  if (array.dtype != dtype)
    type_error(where, std::string("is ") + dtype_name(array.dtype) + "; expected " + dtype_name(dtype));
}

// A (rows, columns) array of `dtype` whose rows have unit stride.
Rows view_rows(const Array& array, Where where, const Sizes& shape, DType dtype) {
  const std::int64_t size = dtype == DType::kFloat64 ? 8 : 4;
  require_type(array, where, dtype);
  if (array.shape != shape)
    value_error(where, "has shape " + shape_text(array.shape) + "; expected " + shape_text(shape));
  const bool empty = shape.front() == 0 || shape.back() == 0;
  const bool unit = array.stride.back() == size || shape.back() == 1;
  if (!empty && !(unit && array.stride.front() % size == 0))
    value_error(where, "has rows whose elements are not next to each other; expected numpy.ascontiguousarray of it");
  return {array.data, array.stride.front()};
}

[[noreturn]] void overlaps(const char* function, const char* name, bool may_be_same) {
  const std::string way_out =
      may_be_same ? std::string(name) + " itself or an array of its own" : "an array of its own";
  value_error({function, "out"},
              std::string(may_be_same ? "partly overlaps " : "overlaps ") + name + "; expected " + way_out);
}

struct NormCall {
  static constexpr const char* kName = "residual_layer_norm";
  Array x, out;
  std::vector<Array> owners;
  NormArgs args{};

  NormCall(py::handle x_object, py::handle out_object, int threads) : x(view_floating(x_object, {kName, "x"})) {
    if (x.rank() != 2) value_error({kName, "x"}, "has shape " + shape_text(x.shape) + "; expected (rows, columns)");
    const DType dtype = whole_type(x, {kName, "x"});
    const Rows from = view_rows(x, {kName, "x"}, x.shape, dtype);
    out = view_output(out_object, {kName, "out"}, x.shape, dtype);
    const Rows to = view_rows(out, {kName, "out"}, x.shape, dtype);
    refuse_partial_overlap(x, "x");
    args = {
        dtype,  {from.data, nullptr, nullptr, nullptr, to.data, x.shape[1], 0}, x.shape[0], from.stride, 0, to.stride,
        threads};
  }

  void refuse_partial_overlap(const Array& in, const char* name) const {
    const bool same = out.data == in.data && out.stride == in.stride;
    if (!same && may_overlap(out, in)) overlaps(kName, name, true);
  }

  // One row for all.
  const char* row(py::handle object, const char* name) {
    owners.push_back(view_floating(object, {kName, name}));
    return view_rows(owners.back(), {kName, name}, {args.first.length}, args.dtype).data;
  }

  void add_residual(py::handle object) {
    if (object.is_none()) return;
    owners.push_back(view_floating(object, {kName, "residual"}));
    const Rows rows = view_rows(owners.back(), {kName, "residual"}, x.shape, args.dtype);
    refuse_partial_overlap(owners.back(), "residual");
    args.first.residual = rows.data;
    args.residual_stride = rows.stride;
  }
};

py::object norm_of_rows(py::handle x, py::handle residual, py::handle gamma, py::handle beta, double eps,
                        py::handle out, int threads) {
  NormCall call(x, out, threads);
  NormRow& first = call.args.first;
  call.add_residual(residual);
  first.gamma = call.row(gamma, "gamma");
  first.beta = call.row(beta, "beta");
  first.eps = eps;
  without_gil([&] { layer_norm(call.args); });
  return py::reinterpret_borrow<py::object>(out);
}

Activation activation_of(const std::string& name) {
  if (name == "none") return Activation::kNone;
  if (name == "relu") return Activation::kRelu;
  if (name == "gelu") return Activation::kGelu;
  value_error({"linear", "activation"}, "is '" + name + "'; expected 'none', 'relu' or 'gelu'");
}

struct LinearCall {
  static constexpr const char* kName = "linear";
  std::vector<Array> owners;
  LinearArgs args{};

  LinearCall(py::handle x, py::handle weight, py::handle bias, py::handle out) {
    owners.reserve(4);
    args.x = matrix(view_floating(x, {kName, "x"}), "x", {-1, -1});
    args.rows = owners[0].shape[0];
    args.width = owners[0].shape[1];
    args.weight = matrix(view_floating(weight, {kName, "weight"}), "weight", {-1, args.width});
    args.outputs = owners[1].shape[0];
    add_bias(bias);
    const Sizes shape = {args.rows, args.outputs};
    args.out = matrix(view_output(out, {kName, "out"}, shape, args.x.dtype), "out", shape);
    for (std::size_t i = 0; i + 1 < owners.size(); ++i)
      if (may_overlap(owners.back(), owners[i])) overlaps(kName, i == 0 ? "x" : i == 1 ? "weight" : "bias", false);
  }

 private:
  // −1 stands for any size.
  Matrix matrix(Array array, const char* name, const Sizes& expected) {
    const Where where{kName, name};
    whole_type(array, where);
    if (!owners.empty()) require_type(array, where, args.x.dtype);
    bool fits = array.shape.size() == expected.size();
    for (std::size_t i = 0; fits && i < expected.size(); ++i) fits = expected[i] < 0 || array.shape[i] == expected[i];
    if (!fits) value_error(where, "has shape " + shape_text(array.shape) + "; expected " + wanted(expected));
    owners.push_back(std::move(array));
    const Array& kept = owners.back();
    return {kept.data, kept.stride.front(), kept.stride.back(), kept.dtype};
  }

  static std::string wanted(const Sizes& expected) {
    if (expected[0] < 0 && expected[1] < 0) return "(rows, columns)";
    return expected[0] < 0 ? "(any, " + std::to_string(expected[1]) + ")" : shape_text(expected);
  }

  void add_bias(py::handle object) {
    if (object.is_none()) return;
    const Matrix row = matrix(view_floating(object, {kName, "bias"}), "bias", {args.outputs});
    args.bias = row.data;
    args.bias_stride = row.column_stride;
  }
};

py::object linear_of_rows(py::handle x, py::handle weight, py::handle bias, const std::string& activation,
                          py::handle out, int threads) {
  LinearCall call(x, weight, bias, out);
  call.args.activation = activation_of(activation);
  call.args.threads = std::max(1, threads);
  without_gil([&] { linear(call.args); });
  return py::reinterpret_borrow<py::object>(out);
}

}  // namespace

void bind_layers(py::module_& m) {
  m.def("linear", &linear_of_rows, py::arg("x"), py::arg("weight"), py::arg("bias"), py::arg("activation"),
        py::arg("out"), py::arg("threads"));
  m.def("residual_layer_norm", &norm_of_rows, py::arg("x"), py::arg("residual"), py::arg("gamma").none(false),
        py::arg("beta").none(false), py::arg("eps"), py::arg("out"), py::arg("threads"));
}

}  // namespace pyattn
