#include "rows.h"

#include "array_view.h"
#include "bindings.h"
#include "without_gil.h"

namespace pyattn {
namespace {

// Moves axis `axis` of x behind the others; the result of a reduction has that axis no longer.
py::object rowwise(py::handle x, int axis, py::handle out, const char* function, RowOp op, int threads,
                   py::handle allocate) {
  const Array in = view_floating(x, {function, "x"});
  const int rank = in.rank();
  if (rank == 0) value_error({function, "x"}, "is a scalar; expected at least one axis");
  if (axis < -rank || axis >= rank)
    value_error({function, "axis"}, "is " + std::to_string(axis) + "; x has " + std::to_string(rank) +
                                        " axes, expected " + std::to_string(-rank) + " to " + std::to_string(rank - 1));
  const auto at = std::size_t(axis < 0 ? axis + rank : axis);
  const bool reduces = op == RowOp::kLogSumExp;

  std::vector<std::int64_t> shape = in.shape;
  if (reduces) shape.erase(shape.begin() + std::ptrdiff_t(at));
  py::object result = !out.is_none()       ? py::reinterpret_borrow<py::object>(out)
                      : allocate.is_none() ? new_numpy_array(shape, in.dtype)
                                           : allocate(py::tuple(py::cast(shape)), dtype_name(in.dtype));
  const Array to = view_output(result, {function, "out"}, shape, in.dtype);
  const bool in_place = to.data == in.data && to.stride == in.stride;
  if (!out.is_none() && !in_place && may_overlap(to, in))
    value_error({function, "out"}, "partly overlaps x; expected x itself or an array of its own");

  RowsArgs args;
  args.row = {op, in.dtype, in.data, to.data, in.shape[at], in.stride[at], reduces ? 0 : to.stride[at]};
  args.rank = 0;
  args.threads = threads;
  for (std::size_t i = 0, j = 0; i < in.shape.size(); ++i) {
    if (i != at) {
      args.shape[args.rank] = in.shape[i];
      args.in_stride[args.rank] = in.stride[i];
      args.out_stride[args.rank++] = to.stride[j];
    }
    if (i != at || !reduces) ++j;
  }
  without_gil([&] { softmax_rows(args); });
  return result;
}

}  // namespace

void bind_rows(py::module_& m) {
  m.def("softmax", [](py::handle x, int axis, py::handle out, int threads, py::handle allocate) {
    return rowwise(x, axis, out, "softmax", RowOp::kSoftmax, threads, allocate);
  });
  m.def("log_softmax", [](py::handle x, int axis, py::handle out, int threads, py::handle allocate) {
    return rowwise(x, axis, out, "log_softmax", RowOp::kLogSoftmax, threads, allocate);
  });
  m.def("logsumexp", [](py::handle x, int axis, int threads, py::handle allocate) {
    return rowwise(x, axis, py::none(), "logsumexp", RowOp::kLogSumExp, threads, allocate);
  });
}

}  // namespace pyattn
