#include <cmath>
#include <cstring>

#include "attention.h"
#include "bindings.h"
#include "call.h"
#include "values.h"
#include "without_gil.h"

namespace pyattn {
namespace {

// Rows that belong to no sequence are zeros, with an lse of −inf.
void clear_outside(const Call& call) {
  const AttentionArgs& a = call.args;
  const auto clear = [&](std::int64_t from, std::int64_t to) {
    const std::size_t element = a.query.dtype == DType::kFloat64 ? 8 : a.query.dtype == DType::kFloat32 ? 4 : 2;
    for (std::int64_t row = from; row < to; ++row)
      for (std::int64_t head = 0; head < a.heads; ++head) {
        char* out = a.out.data + row * a.out.row_stride + head * a.out.head_stride;
        for (std::int64_t d = 0; d < a.value_width; ++d) std::memset(out + d * a.out.column_stride, 0, element);
        if (!a.has_lse) continue;
        char* lse = a.lse.data + row * a.lse.row_stride + head * a.lse.head_stride;
        if (a.lse.dtype == DType::kFloat64) *reinterpret_cast<double*>(lse) = -INFINITY;
        else *reinterpret_cast<float*>(lse) = -INFINITY;
      }
  };
  clear(0, a.query_offsets[0]);
  clear(a.query_offsets[a.batch], a.queries);
}

// From (total, heads, width) to (heads, total, width).
void heads_first(Call& call) {
  for (Array* a : {&call.q, &call.k, &call.v}) {
    if (a->rank() != 3) call.shape_error("packed query, key and value are (total, heads, width)");
  }
  for (Array* a : {&call.q, &call.k, &call.v}) {
    std::swap(a->shape[0], a->shape[1]);
    std::swap(a->stride[0], a->stride[1]);
  }
}

Sizes read_offsets(py::handle object, Where where, std::int64_t total) {
  Sizes shape, offsets = read_integers(object, where, &shape);
  if (shape.size() != 1 || offsets.empty())
    value_error(where, "has shape " + shape_text(shape) + "; expected (sequences + 1,)");
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (offsets[i] < (i ? offsets[i - 1] : 0) || offsets[i] > total)
      value_error(where, "must rise from 0 or more to at most " + std::to_string(total) + " (the packed rows); entry " +
                             std::to_string(i) + " is " + std::to_string(offsets[i]));
  return offsets;
}

// Where each sequence begins among the packed queries and keys.
struct Offsets {
  Sizes queries, keys;

  Offsets(Call& call, py::handle query_offsets, py::handle key_offsets)
      : queries(read_offsets(query_offsets, {call.function, "query_offsets"}, call.args.queries)),
        keys(read_offsets(key_offsets, {call.function, "key_offsets"}, call.args.keys)) {
    if (queries.size() != keys.size())
      value_error({call.function, "key_offsets"}, "describes " + std::to_string(keys.size() - 1) +
                                                      " sequences and query_offsets " +
                                                      std::to_string(queries.size() - 1) + "; expected as many");
    AttentionArgs& args = call.args;
    args.query_offsets = queries.data();
    args.key_offsets = keys.data();
    args.batch = args.leading[0] = std::int64_t(queries.size()) - 1;
    args.leading_rank = 1;
  }
};

py::object attend_packed(py::handle query, py::handle key, py::handle value, py::handle query_offsets,
                         py::handle key_offsets, py::handle mask, py::handle bias, py::handle scale, py::handle softcap,
                         py::handle sinks, py::handle return_lse, py::handle out, int threads, py::handle allocate) {
  const Options options{mask, bias, scale, softcap, sinks, out, allocate, return_lse, Py_False, threads};
  Call call("attention_varlen", query, key, value, options);
  heads_first(call);
  call.read_sizes();
  call.read_numbers();
  const Offsets offsets(call, query_offsets, key_offsets);
  AttentionArgs& args = call.args;
  call.read_masks(
      {{args.batch}, args.batch, args.heads, args.queries, args.keys, true, args.query_offsets, args.key_offsets});
  call.place_inputs();
  call.make_results({args.queries, args.heads, args.value_width}, {args.heads, args.queries}, {}, call.q.dtype);
  std::swap(args.out.head_stride, args.out.row_stride);  // results are (total, heads, width)
  clear_outside(call);
  without_gil([&] { attention(args); });
  return call.answer();
}

}  // namespace

void bind_varlen(py::module_& m) { m.def("attention_varlen", &attend_packed); }

}  // namespace pyattn
