#include "mask.h"

#include <algorithm>

#include "values.h"

namespace pyattn {
namespace {

std::vector<std::int64_t> full_shape(const ScoreShape& s) {
  std::vector<std::int64_t> shape = s.leading;
  shape.insert(shape.end(), {s.heads, s.queries, s.keys});
  return shape;
}

// Strides of `array` broadcast, right-aligned, to (leading…, heads, queries, keys).
TermView broadcast_term(const Array& array, const ScoreShape& s, Where where) {
  const std::vector<std::int64_t> target = full_shape(s);
  const auto fail = [&] {
    value_error(where, "has shape " + shape_text(array.shape) + ", which does not broadcast to " + shape_text(target) +
                           " (batch, query heads, queries, keys)");
  };
  TermView t{};
  t.data = array.data;
  t.dtype = array.dtype;
  const std::ptrdiff_t surplus = std::ptrdiff_t(array.shape.size()) - std::ptrdiff_t(target.size());
  for (std::ptrdiff_t i = 0; i < surplus; ++i)
    if (array.shape[std::size_t(i)] != 1) fail();
  const std::size_t rank = s.leading.size();
  for (std::size_t i = 0; i < target.size(); ++i) {
    const std::ptrdiff_t from = std::ptrdiff_t(i) + surplus;
    std::int64_t stride = 0;
    if (from >= 0) {
      const std::int64_t n = array.shape[std::size_t(from)];
      if (n != 1 && n != target[i]) fail();
      if (n != 1) stride = array.stride[std::size_t(from)];
    }
    if (i < rank) t.leading_stride[i] = stride;
    else if (i == rank) t.head_stride = stride;
    else if (i == rank + 1) t.row_stride = stride;
    else t.column_stride = stride;
  }
  return t;
}

// (batch…, keys) or (keys,) as a term that is the same for all heads and queries.
Array as_padding(Array keep, const ScoreShape& s, Where where) {
  if (keep.rank() == 0 || keep.rank() > int(s.leading.size()) + 1)
    value_error(where, "has shape " + shape_text(keep.shape) + "; padding expects (batch, keys) or (keys,)");
  if (keep.rank() > 1) {
    keep.shape.insert(keep.shape.end() - 1, {1, 1});
    keep.stride.insert(keep.stride.end() - 1, {0, 0});
  }
  if (keep.shape.back() != s.keys && keep.shape.back() != 1)
    value_error(where, "has shape " + shape_text(keep.shape) + "; padding expects one entry for each of " +
                           std::to_string(s.keys) + " keys");
  return keep;
}

// One number per batch item from a scalar or an array that broadcasts to the leading axes.
std::vector<std::int64_t> per_item(py::handle object, const ScoreShape& s, Where where) {
  std::vector<std::int64_t> shape;
  const std::vector<std::int64_t> values = read_integers(object, where, &shape);
  if (shape.size() > s.leading.size() && !(values.size() == 1))
    value_error(where, "has shape " + shape_text(shape) + "; expected one number per batch item, to broadcast to " +
                           shape_text(s.leading));
  std::vector<std::int64_t> out(std::size_t(s.batch));
  if (values.size() == 1) {
    std::fill(out.begin(), out.end(), values[0]);
    return out;
  }
  for (std::int64_t b = 0; b < s.batch; ++b) {
    std::int64_t rest = b, at = 0, step = 1;
    for (std::size_t i = s.leading.size(); i-- > 0;) {
      const std::int64_t index = rest % s.leading[i];
      rest /= s.leading[i];
      const std::ptrdiff_t from = std::ptrdiff_t(i) + std::ptrdiff_t(shape.size()) - std::ptrdiff_t(s.leading.size());
      if (from < 0) continue;
      const std::int64_t n = shape[std::size_t(from)];
      if (n != 1 && n != s.leading[i])
        value_error(where, "has shape " + shape_text(shape) + "; expected one number per batch item, to broadcast to " +
                               shape_text(s.leading));
      if (n != 1) at += index * step;
      step *= n;
    }
    out[std::size_t(b)] = values[std::size_t(at)];
  }
  return out;
}

void check_lengths(const std::vector<std::int64_t>& lengths, const std::int64_t* offsets, std::int64_t most,
                   Where where) {
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    const std::int64_t limit = offsets ? offsets[b + 1] - offsets[b] : most;
    if (lengths[b] < 0 || lengths[b] > limit)
      value_error(where, "has " + std::to_string(lengths[b]) + " for batch item " + std::to_string(b) +
                             "; expected 0 to " + std::to_string(limit));
  }
}

void add_keep(py::handle entry, const char* function, const ScoreShape& s, AttentionArgs& args, MaskMemory& memory) {
  const Where where{function, "mask"};
  if (args.mask.keeps == kMaxTerms)
    value_error(where, "combines more than " + std::to_string(kMaxTerms) +
                           " boolean arrays; combine some of them with NumPy's & first");
  const py::tuple pair = py::reinterpret_borrow<py::tuple>(entry);
  Array keep = view_boolean(pair[0], where);
  if (py::cast<bool>(pair[1])) keep = as_padding(keep, s, where);
  if (s.packed)
    value_error(
        where,
        "is a boolean array; packed sequences have no common shape for one: use causal(), window() or lengths()");
  args.mask.keep[args.mask.keeps++] = broadcast_term(keep, s, where);
  memory.terms.push_back(std::move(keep));
}

std::int64_t reach(py::handle value) {
  return value.is_none() ? kUnbounded : std::min(py::cast<std::int64_t>(value), kUnbounded);
}

void add_slopes(py::handle alibi, const char* function, const ScoreShape& s, MaskMemory& memory) {
  const std::vector<double> slopes = read_floats(alibi.attr("slopes"), {function, "bias"});
  if (std::int64_t(slopes.size()) != s.heads)
    value_error({function, "bias"},
                "is alibi for " + std::to_string(slopes.size()) + " heads; query has " + std::to_string(s.heads));
  memory.slopes.resize(slopes.size(), 0.0);
  for (std::size_t h = 0; h < slopes.size(); ++h) memory.slopes[h] += slopes[h];
}

void add_bias(py::handle bias, const char* function, const ScoreShape& s, AttentionArgs& args, MaskMemory& memory) {
  const Where where{function, "bias"};
  if (py::hasattr(bias, "slopes")) return add_slopes(bias, function, s, memory);
  if (s.packed) value_error(where, "is an array; packed sequences have no common shape for one: only alibi() is taken");
  Array array = view_array(bias, where);
  if (array.is_bool) type_error(where, "has dtype bool; a mask that is True where a query may look goes to mask=");
  if (args.biases == kMaxTerms)
    value_error(where, "has more than " + std::to_string(kMaxTerms) + " arrays; add some of them first");
  args.bias[args.biases++] = broadcast_term(array, s, where);
  memory.terms.push_back(std::move(array));
}

}  // namespace

void read_mask(py::handle mask, const char* function, const ScoreShape& s, AttentionArgs& args, MaskMemory& memory) {
  MaskSpec& m = args.mask;
  m.structured = py::cast<bool>(mask.attr("structured"));
  m.left = reach(mask.attr("left"));
  m.right = reach(mask.attr("right"));
  const py::object align = mask.attr("align"), offset = mask.attr("offset");
  if (!align.is_none()) m.align = py::cast<std::string>(align) == "top-left" ? Align::kTopLeft : Align::kBottomRight;
  if (!offset.is_none()) {
    memory.offsets = per_item(offset, s, {function, "mask offset"});
    m.offsets = memory.offsets.data();
  }
  const py::object key_lengths = mask.attr("key_lengths"), query_lengths = mask.attr("query_lengths");
  if (!key_lengths.is_none()) {
    memory.key_lengths = per_item(key_lengths, s, {function, "lengths(keys)"});
    check_lengths(memory.key_lengths, s.key_offsets, s.keys, {function, "lengths(keys)"});
    m.key_lengths = memory.key_lengths.data();
  }
  if (!query_lengths.is_none()) {
    memory.query_lengths = per_item(query_lengths, s, {function, "lengths(queries)"});
    check_lengths(memory.query_lengths, s.query_offsets, s.queries, {function, "lengths(queries)"});
    m.query_lengths = memory.query_lengths.data();
  }
  for (const py::handle entry : mask.attr("keeps")) add_keep(entry, function, s, args, memory);
}

void read_bias(py::handle bias, const char* function, const ScoreShape& s, AttentionArgs& args, MaskMemory& memory) {
  if (py::isinstance<py::tuple>(bias))
    for (const py::handle one : bias) add_bias(one, function, s, args, memory);
  else add_bias(bias, function, s, args, memory);
  if (!memory.slopes.empty()) args.slopes = memory.slopes.data();
}

}  // namespace pyattn
