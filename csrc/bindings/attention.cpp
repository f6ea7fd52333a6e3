#include "attention.h"

#include "bindings.h"
#include "call.h"
#include "reference.h"
#include "without_gil.h"

namespace pyattn {
namespace {

// Everything that has to be right before anything is computed. `out_dtype`: the rule is query's.
void prepare(Call& call, DType out_dtype) {
  call.need_rank(2, "(…, heads, sequence, width)");
  call.read_sizes();
  const Sizes leading = call.read_leading();
  call.read_numbers();
  const AttentionArgs& args = call.args;
  call.read_masks({leading, args.batch, args.heads, args.queries, args.keys, false, nullptr, nullptr});
  const auto shape = [&](std::initializer_list<std::int64_t> tail) {
    Sizes s = leading;
    if (call.q.rank() > 2 || call.k.rank() > 2 || call.v.rank() > 2) s.push_back(args.heads);
    s.insert(s.end(), tail);
    return s;
  };
  call.place_inputs();
  call.make_results(shape({args.queries, args.value_width}), shape({args.queries}), shape({args.queries, args.keys}),
                    out_dtype);
}

py::object attend(py::handle query, py::handle key, py::handle value, py::handle mask, py::handle bias,
                  py::handle scale, py::handle softcap, py::handle sinks, py::handle return_lse,
                  py::handle return_weights, py::handle out, int threads, py::handle allocate) {
  const Options options{mask, bias, scale, softcap, sinks, out, allocate, return_lse, return_weights, threads};
  Call call("attention", query, key, value, options);
  prepare(call, call.q.dtype);
  without_gil([&] { attention(call.args); });
  return call.answer();
}

// Queries and keys come projected. Scale and softcap belong to products. `plainly`: by the reference, which writes double.
template <bool plainly>
py::object attend_additively(py::handle query, py::handle key, py::handle value, py::handle score_weight,
                             py::handle mask, py::handle bias, py::handle return_weights, int threads) {
  const py::none none;
  const Options options{mask, bias, none, none, none, none, none, Py_False, return_weights, threads};
  Call call("additive_attention", query, key, value, options);
  if (static_cast<int>(call.q.dtype) >= kWholeTypes)
    type_error({call.function, "query"},
               std::string("is ") + dtype_name(call.q.dtype) + "; expected float32 or float64");
  prepare(call, plainly ? DType::kFloat64 : call.q.dtype);
  call.read_score_weight(score_weight);
  without_gil([&] { plainly ? reference_attention(call.args) : attention(call.args); });
  return call.answer();
}

// The reference writes double.
py::object attend_plainly(py::handle query, py::handle key, py::handle value, py::handle mask, py::handle bias,
                          py::handle scale, py::handle softcap, py::handle sinks, py::handle return_lse,
                          py::handle return_weights) {
  const py::none none;
  const Options options{mask, bias, scale, softcap, sinks, none, none, return_lse, return_weights, 1};
  Call call("attention", query, key, value, options);
  prepare(call, DType::kFloat64);
  without_gil([&] { reference_attention(call.args); });
  return call.answer();
}

}  // namespace

void bind_attention(py::module_& m) {
  m.def("attention", &attend);
  m.def("additive_attention", &attend_additively<false>);
  m.def("reference_additive_attention", &attend_additively<true>);
  m.def("reference_attention", &attend_plainly);
}

}  // namespace pyattn
