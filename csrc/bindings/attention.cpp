#include "attention.h"

#include <cmath>
#include <cstring>

#include "array_view.h"
#include "bindings.h"
#include "mask.h"
#include "reference.h"
#include "without_gil.h"

namespace pyattn {
namespace {

using Sizes = std::vector<std::int64_t>;

std::string got(const Array& q, const Array& k, const Array& v) {
  return "Got query " + shape_text(q.shape) + ", key " + shape_text(k.shape) + ", value " + shape_text(v.shape);
}

[[noreturn]] void shape_error(const char* function, const std::string& message, const Array& q, const Array& k,
                              const Array& v) {
  throw py::value_error(std::string(function) + ": " + message + ". " + got(q, k, v) + ".");
}

std::int64_t from_end(const Array& a, int i) { return a.shape[a.shape.size() - std::size_t(i)]; }

void check_ranks(const char* function, const Array& q, const Array& k, const Array& v, int least, const char* form) {
  if (q.rank() < least || k.rank() < least || v.rank() < least)
    shape_error(function, std::string("query, key and value need at least ") + std::to_string(least) + " axes, " + form,
                q, k, v);
}

void check_types(const char* function, const Array& q, const Array& k, const Array& v) {
  if (q.dtype == k.dtype && q.dtype == v.dtype) return;
  throw py::type_error(std::string(function) + ": query, key and value must share one dtype; got " +
                       dtype_name(q.dtype) + ", " + dtype_name(k.dtype) + " and " + dtype_name(v.dtype) +
                       " (convert with .astype).");
}

// Sizes that all inputs share, heads and widths among them.
void read_sizes(const char* function, const Array& q, const Array& k, const Array& v, AttentionArgs& args) {
  args.heads = q.rank() > 2 ? from_end(q, 3) : 1;
  args.kv_heads = k.rank() > 2 ? from_end(k, 3) : 1;
  const std::int64_t value_heads = v.rank() > 2 ? from_end(v, 3) : 1;
  args.queries = from_end(q, 2);
  args.keys = from_end(k, 2);
  args.width = from_end(q, 1);
  args.value_width = from_end(v, 1);
  if (args.width != from_end(k, 1))
    shape_error(function, "query and key must have the same width (last axis)", q, k, v);
  if (args.keys != from_end(v, 2)) shape_error(function, "key and value must have the same number of keys", q, k, v);
  if (args.kv_heads != value_heads) shape_error(function, "key and value must have the same number of heads", q, k, v);
  if (args.width == 0 || args.value_width == 0)
    shape_error(function, "the width (last axis) must be at least 1", q, k, v);
  if (args.heads == 0 || args.kv_heads == 0) shape_error(function, "there must be at least one head", q, k, v);
  if (args.heads % args.kv_heads)
    shape_error(function,
                "query has " + std::to_string(args.heads) + " heads and key has " + std::to_string(args.kv_heads) +
                    "; query heads must be a multiple of key heads (grouped-query attention)",
                q, k, v);
}

// The leading axes, broadcast against each other.
Sizes read_leading(const char* function, const Array& q, const Array& k, const Array& v, AttentionArgs& args) {
  Sizes leading;
  for (const Array* a : {&q, &k, &v})
    leading.resize(std::max<std::size_t>(leading.size(), std::size_t(std::max(0, a->rank() - 3))), 1);
  if (leading.size() > kMaxLeading)
    shape_error(function, "more than " + std::to_string(kMaxLeading) + " leading axes; reshape some of them together",
                q, k, v);
  for (const Array* a : {&q, &k, &v}) {
    const int own = std::max(0, a->rank() - 3);
    for (int i = 0; i < own; ++i) {
      std::int64_t& size = leading[leading.size() - std::size_t(own - i)];
      const std::int64_t n = a->shape[std::size_t(i)];
      if (n != size && n != 1 && size != 1)
        shape_error(function, "the leading axes do not broadcast against each other", q, k, v);
      if (size == 1) size = n;
    }
  }
  args.leading_rank = int(leading.size());
  args.batch = 1;
  for (std::size_t i = 0; i < leading.size(); ++i) args.batch *= args.leading[i] = leading[i];
  return leading;
}

// An array of (leading…, heads, rows, columns) with missing axes in front; size 1 broadcasts over leading axes.
TensorView place(const Array& a, int leading_rank) {
  TensorView view{};
  view.data = a.data;
  view.dtype = a.dtype;
  view.column_stride = a.stride[a.stride.size() - 1];
  view.row_stride = a.stride[a.stride.size() - 2];
  view.head_stride = a.rank() > 2 ? a.stride[a.stride.size() - 3] : 0;
  const int own = std::max(0, a.rank() - 3);
  for (int i = 0; i < own; ++i)
    view.leading_stride[leading_rank - own + i] = a.shape[std::size_t(i)] == 1 ? 0 : a.stride[std::size_t(i)];
  return view;
}

// Where results go: the caller's `out`, or a new array from `allocate` (shape, dtype) or NumPy.
struct Results {
  py::object out, lse, weights;
  Array out_array, lse_array, weights_array;
};

py::object new_array(py::handle allocate, const Sizes& shape, DType dtype) {
  if (allocate.is_none()) return new_numpy_array(shape, dtype);
  return allocate(py::tuple(py::cast(shape)), dtype_name(dtype));
}

void refuse_overlap(const char* function, const Array& out,
                    const std::vector<std::pair<const char*, const Array*>>& inputs) {
  for (const auto& [name, in] : inputs)
    if (may_overlap(out, *in))
      value_error({function, "out"}, std::string("shares memory with ") + name + "; expected an array of its own");
}

struct Call {
  const char* function;
  Array q, k, v;
  AttentionArgs args;
  MaskMemory memory;
  std::vector<double> sinks;
  Results results;

  void read_numbers(py::handle scale, py::handle softcap, py::handle sink_array, int threads) {
    args.scale = scale.is_none() ? 1 / std::sqrt(double(args.width)) : read_number(scale, {function, "scale"});
    if (!std::isfinite(args.scale))
      value_error({function, "scale"}, "is " + std::to_string(args.scale) + "; expected a finite number");
    args.softcap = softcap.is_none() ? 0 : read_number(softcap, {function, "softcap"});
    if (!softcap.is_none() && !(args.softcap > 0 && std::isfinite(args.softcap)))
      value_error({function, "softcap"},
                  "is " + std::to_string(args.softcap) + "; expected a positive number, or None for no cap");
    args.threads = threads;
    if (sink_array.is_none()) return;
    sinks = read_floats(sink_array, {function, "sinks"});
    if (std::int64_t(sinks.size()) != args.heads)
      value_error({function, "sinks"}, "has " + std::to_string(sinks.size()) + " entries; expected one for each of " +
                                           std::to_string(args.heads) + " query heads");
    args.sinks = sinks.data();
  }

  void make_results(const Sizes& out_shape, const Sizes& lse_shape, const Sizes& weights_shape, py::handle out,
                    bool lse, bool weights, py::handle allocate) {
    const Where where{function, "out"};
    results.out = out.is_none() ? new_array(allocate, out_shape, q.dtype) : py::reinterpret_borrow<py::object>(out);
    results.out_array = view_output(results.out, where, out_shape, q.dtype);
    if (!out.is_none()) refuse_overlap(function, results.out_array, {{"query", &q}, {"key", &k}, {"value", &v}});
    args.out = place(results.out_array, args.leading_rank);
    args.has_lse = lse;
    args.has_weights = weights;
    if (lse) {
      const DType dtype = q.dtype == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
      results.lse = new_array(allocate, lse_shape, dtype);
      Array a = results.lse_array = view_output(results.lse, {function, "lse"}, lse_shape, dtype);
      a.shape.push_back(1);
      a.stride.push_back(0);
      args.lse = place(a, args.leading_rank);
    }
    if (weights) {
      results.weights = new_array(allocate, weights_shape, q.dtype);
      results.weights_array = view_output(results.weights, {function, "weights"}, weights_shape, q.dtype);
      args.weights = place(results.weights_array, args.leading_rank);
    }
  }

  void check_terms_apart() const {
    for (const Array& term : memory.terms)
      if (may_overlap(results.out_array, term))
        value_error({function, "out"}, "shares memory with the mask or bias; expected an array of its own");
  }

  void compute(bool reference) {
    without_gil([&] { reference ? reference_attention(args) : attention(args); });
  }

  py::object answer() const {
    if (args.has_lse && args.has_weights) return py::make_tuple(results.out, results.lse, results.weights);
    if (args.has_lse) return py::make_tuple(results.out, results.lse);
    if (args.has_weights) return py::make_tuple(results.out, results.weights);
    return results.out;
  }
};

// The reference writes double; elsewhere the rule is query's dtype.
py::object attend(py::handle query, py::handle key, py::handle value, py::handle mask, py::handle bias,
                  py::handle scale, py::handle softcap, py::handle sinks, bool return_lse, bool return_weights,
                  py::handle out, int threads, py::handle allocate, bool reference) {
  constexpr const char* kName = "attention";
  Call call{kName,
            view_floating(query, {kName, "query"}),
            view_floating(key, {kName, "key"}),
            view_floating(value, {kName, "value"}),
            {},
            {},
            {},
            {}};
  check_ranks(kName, call.q, call.k, call.v, 2, "(…, heads, sequence, width)");
  check_types(kName, call.q, call.k, call.v);
  read_sizes(kName, call.q, call.k, call.v, call.args);
  const Sizes leading = read_leading(kName, call.q, call.k, call.v, call.args);
  AttentionArgs& args = call.args;
  call.read_numbers(scale, softcap, sinks, threads);

  const ScoreShape scores{leading, args.batch, args.heads, args.queries, args.keys, false, nullptr, nullptr};
  if (!mask.is_none()) read_mask(mask, kName, scores, args, call.memory);
  if (!bias.is_none()) read_bias(bias, kName, scores, args, call.memory);

  const auto shape = [&](std::initializer_list<std::int64_t> tail) {
    Sizes s = leading;
    if (call.q.rank() > 2 || call.k.rank() > 2 || call.v.rank() > 2) s.push_back(args.heads);
    s.insert(s.end(), tail);
    return s;
  };
  args.query = place(call.q, args.leading_rank);
  args.key = place(call.k, args.leading_rank);
  args.value = place(call.v, args.leading_rank);
  const DType kept = call.q.dtype;
  if (reference) call.q.dtype = DType::kFloat64;
  call.make_results(shape({args.queries, args.value_width}), shape({args.queries}), shape({args.queries, args.keys}),
                    out, return_lse, return_weights, allocate);
  call.q.dtype = kept;
  if (!out.is_none()) call.check_terms_apart();
  call.compute(reference);
  return call.answer();
}

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

py::object attend_packed(py::handle query, py::handle key, py::handle value, py::handle query_offsets,
                         py::handle key_offsets, py::handle mask, py::handle bias, py::handle scale, py::handle softcap,
                         py::handle sinks, bool return_lse, py::handle out, int threads, py::handle allocate) {
  constexpr const char* kName = "attention_varlen";
  Call call{kName,
            view_floating(query, {kName, "query"}),
            view_floating(key, {kName, "key"}),
            view_floating(value, {kName, "value"}),
            {},
            {},
            {},
            {}};
  for (const Array* a : {&call.q, &call.k, &call.v})
    if (a->rank() != 3)
      shape_error(kName, "packed query, key and value are (total, heads, width)", call.q, call.k, call.v);
  check_types(kName, call.q, call.k, call.v);
  for (Array* a : {&call.q, &call.k, &call.v}) {  // to (heads, total, width)
    std::swap(a->shape[0], a->shape[1]);
    std::swap(a->stride[0], a->stride[1]);
  }
  AttentionArgs& args = call.args;
  read_sizes(kName, call.q, call.k, call.v, args);
  call.read_numbers(scale, softcap, sinks, threads);

  const auto read_offsets = [&](py::handle object, const char* name, std::int64_t total) {
    Sizes shape, offsets = read_integers(object, {kName, name}, &shape);
    if (shape.size() != 1 || offsets.empty())
      value_error({kName, name}, "has shape " + shape_text(shape) + "; expected (sequences + 1,)");
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] < (i ? offsets[i - 1] : 0) || offsets[i] > total)
        value_error({kName, name}, "must rise from 0 or more to at most " + std::to_string(total) +
                                       " (the packed rows); entry " + std::to_string(i) + " is " +
                                       std::to_string(offsets[i]));
    return offsets;
  };
  const Sizes q_offsets = read_offsets(query_offsets, "query_offsets", args.queries);
  const Sizes k_offsets = read_offsets(key_offsets, "key_offsets", args.keys);
  if (q_offsets.size() != k_offsets.size())
    value_error({kName, "key_offsets"}, "describes " + std::to_string(k_offsets.size() - 1) +
                                            " sequences and query_offsets " + std::to_string(q_offsets.size() - 1) +
                                            "; expected as many");
  args.query_offsets = q_offsets.data();
  args.key_offsets = k_offsets.data();
  args.batch = std::int64_t(q_offsets.size()) - 1;
  args.leading_rank = 1;
  args.leading[0] = args.batch;

  const ScoreShape scores{{args.batch}, args.batch, args.heads,       args.queries,
                          args.keys,    true,       q_offsets.data(), k_offsets.data()};
  if (!mask.is_none()) read_mask(mask, kName, scores, args, call.memory);
  if (!bias.is_none()) read_bias(bias, kName, scores, args, call.memory);

  args.query = place(call.q, 1);
  args.key = place(call.k, 1);
  args.value = place(call.v, 1);
  call.make_results({args.queries, args.heads, args.value_width}, {args.heads, args.queries}, {}, out, return_lse,
                    false, allocate);
  std::swap(args.out.head_stride, args.out.row_stride);  // results are (total, heads, width)
  clear_outside(call);
  call.compute(false);
  return call.answer();
}

}  // namespace

void bind_attention(py::module_& m) {
  m.def("attention", [](py::handle q, py::handle k, py::handle v, py::handle mask, py::handle bias, py::handle scale,
                        py::handle softcap, py::handle sinks, bool lse, bool weights, py::handle out, int threads,
                        py::handle allocate) {
    return attend(q, k, v, mask, bias, scale, softcap, sinks, lse, weights, out, threads, allocate, false);
  });
  m.def("reference_attention", [](py::handle q, py::handle k, py::handle v, py::handle mask, py::handle bias,
                                  py::handle scale, py::handle softcap, py::handle sinks, bool lse, bool weights) {
    return attend(q, k, v, mask, bias, scale, softcap, sinks, lse, weights, py::none(), 1, py::none(), true);
  });
  m.def("attention_varlen", &attend_packed);
}

}  // namespace pyattn
