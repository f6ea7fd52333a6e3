#include "call.h"

#include <cmath>

#include "values.h"

namespace pyattn {
namespace {

std::int64_t from_end(const Array& a, int i) { return a.shape[a.shape.size() - std::size_t(i)]; }

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

py::object new_array(py::handle allocate, const Sizes& shape, DType dtype) {
  if (allocate.is_none()) return new_numpy_array(shape, dtype);
  return allocate(py::tuple(py::cast(shape)), dtype_name(dtype));
}

}  // namespace

Call::Call(const char* name, py::handle query, py::handle key, py::handle value, const Options& given)
    : function(name),
      options(given),
      q(view_floating(query, {name, "query"})),
      k(view_floating(key, {name, "key"})),
      v(view_floating(value, {name, "value"})) {}

void Call::shape_error(const std::string& message) const {
  throw py::value_error(std::string(function) + ": " + message + ". Got query " + shape_text(q.shape) + ", key " +
                        shape_text(k.shape) + ", value " + shape_text(v.shape) + ".");
}

void Call::need_rank(int least, const char* form) const {
  if (q.rank() < least || k.rank() < least || v.rank() < least)
    shape_error("query, key and value need at least " + std::to_string(least) + " axes, " + form);
}

void Call::need_one_dtype() const {
  if (q.dtype == k.dtype && q.dtype == v.dtype) return;
  throw py::type_error(std::string(function) + ": query, key and value must share one dtype; got " +
                       dtype_name(q.dtype) + ", " + dtype_name(k.dtype) + " and " + dtype_name(v.dtype) +
                       " (convert with .astype).");
}

void Call::read_sizes() {
  need_one_dtype();
  args.heads = q.rank() > 2 ? from_end(q, 3) : 1;
  args.kv_heads = k.rank() > 2 ? from_end(k, 3) : 1;
  const std::int64_t value_heads = v.rank() > 2 ? from_end(v, 3) : 1;
  args.queries = from_end(q, 2);
  args.keys = from_end(k, 2);
  args.width = from_end(q, 1);
  args.value_width = from_end(v, 1);
  if (args.width != from_end(k, 1)) shape_error("query and key must have the same width (last axis)");
  if (args.keys != from_end(v, 2)) shape_error("key and value must have the same number of keys");
  if (args.kv_heads != value_heads) shape_error("key and value must have the same number of heads");
  if (args.width == 0 || args.value_width == 0) shape_error("the width (last axis) must be at least 1");
  if (args.heads == 0 || args.kv_heads == 0) shape_error("there must be at least one head");
  if (args.heads % args.kv_heads)
    shape_error("query has " + std::to_string(args.heads) + " heads and key has " + std::to_string(args.kv_heads) +
                "; query heads must be a multiple of key heads (grouped-query attention)");
}

// The leading axes, broadcast against each other.
Sizes Call::read_leading() {
  Sizes leading;
  for (const Array* a : {&q, &k, &v})
    leading.resize(std::max<std::size_t>(leading.size(), std::size_t(std::max(0, a->rank() - 3))), 1);
  if (leading.size() > kMaxLeading)
    shape_error("more than " + std::to_string(kMaxLeading) + " leading axes; reshape some of them together");
  for (const Array* a : {&q, &k, &v}) {
    const int own = std::max(0, a->rank() - 3);
    for (int i = 0; i < own; ++i) {
      std::int64_t& size = leading[leading.size() - std::size_t(own - i)];
      const std::int64_t n = a->shape[std::size_t(i)];
      if (n != size && n != 1 && size != 1) shape_error("the leading axes do not broadcast against each other");
      if (size == 1) size = n;
    }
  }
  args.leading_rank = int(leading.size());
  args.batch = 1;
  for (std::size_t i = 0; i < leading.size(); ++i) args.batch *= args.leading[i] = leading[i];
  return leading;
}

void Call::read_numbers() {
  const Where scale{function, "scale"}, softcap{function, "softcap"};
  args.scale = options.scale.is_none() ? 1 / std::sqrt(double(args.width)) : read_number(options.scale, scale);
  if (!std::isfinite(args.scale)) value_error(scale, "is " + std::to_string(args.scale) + "; expected a finite number");
  args.softcap = options.softcap.is_none() ? 0 : read_number(options.softcap, softcap);
  if (!options.softcap.is_none() && !(args.softcap > 0 && std::isfinite(args.softcap)))
    value_error(softcap, "is " + std::to_string(args.softcap) + "; expected a positive number, or None for no cap");
  args.threads = options.threads;
  if (!options.sinks.is_none()) read_sinks();
}

void Call::read_sinks() {
  const Where where{function, "sinks"};
  sinks = read_floats(options.sinks, where);
  if (std::int64_t(sinks.size()) != args.heads)
    value_error(where, "has " + std::to_string(sinks.size()) + " entries; expected one for each of " +
                           std::to_string(args.heads) + " query heads");
  args.sinks = sinks.data();
}

void Call::read_score_weight(py::handle weight) {
  const Where where{function, "score_weight"};
  score_weight = read_floats(weight, where);
  if (std::int64_t(score_weight.size()) != args.width)
    value_error(where, "has " + std::to_string(score_weight.size()) + " entries; expected one for each of " +
                           std::to_string(args.width) + " hidden units");
  args.score_weight = score_weight.data();
}

void Call::read_masks(const ScoreShape& scores) {
  if (!options.mask.is_none()) read_mask(options.mask, function, scores, args, memory);
  if (!options.bias.is_none()) read_bias(options.bias, function, scores, args, memory);
}

void Call::place_inputs() {
  args.query = place(q, args.leading_rank);
  args.key = place(k, args.leading_rank);
  args.value = place(v, args.leading_rank);
}

void Call::make_results(const Sizes& out_shape, const Sizes& lse_shape, const Sizes& weights_shape, DType dtype) {
  make_out(out_shape, dtype);
  if (read_flag(options.return_lse, {function, "return_lse"}))
    make_lse(lse_shape, dtype == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32);
  if (!read_flag(options.return_weights, {function, "return_weights"})) return;
  results.weights = new_array(options.allocate, weights_shape, dtype);
  results.weights_array = view_output(results.weights, {function, "weights"}, weights_shape, dtype);
  args.weights = place(results.weights_array, args.leading_rank);
  args.has_weights = true;
}

void Call::make_out(const Sizes& shape, DType dtype) {
  const bool own = options.out.is_none();
  results.out = own ? new_array(options.allocate, shape, dtype) : py::reinterpret_borrow<py::object>(options.out);
  results.out_array = view_output(results.out, {function, "out"}, shape, dtype);
  if (!own) refuse_overlap();
  args.out = place(results.out_array, args.leading_rank);
}

void Call::make_lse(const Sizes& shape, DType dtype) {
  results.lse = new_array(options.allocate, shape, dtype);
  Array a = results.lse_array = view_output(results.lse, {function, "lse"}, shape, dtype);
  a.shape.push_back(1);
  a.stride.push_back(0);
  args.lse = place(a, args.leading_rank);
  args.has_lse = true;
}

void Call::refuse_overlap() const {
  const auto refuse = [this](const char* name, const Array& in) {
    if (may_overlap(results.out_array, in))
      value_error({function, "out"}, std::string("shares memory with ") + name + "; expected an array of its own");
  };
  refuse("query", q);
  refuse("key", k);
  refuse("value", v);
  for (const Array& term : memory.terms) refuse("the mask or bias", term);
}

py::object Call::answer() const {
  if (args.has_lse && args.has_weights) return py::make_tuple(results.out, results.lse, results.weights);
  if (args.has_lse) return py::make_tuple(results.out, results.lse);
  if (args.has_weights) return py::make_tuple(results.out, results.weights);
  return results.out;
}

}  // namespace pyattn
