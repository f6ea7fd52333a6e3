// One call of attention: its arguments read from Python, its results made, its computation started.
#pragma once

#include "array_view.h"
#include "attention.h"
#include "mask.h"

namespace pyattn {

using Sizes = std::vector<std::int64_t>;

// What may be left out of a call, as it came from Python.
struct Options {
  py::handle mask, bias, scale, softcap, sinks, out, allocate, return_lse, return_weights;
  int threads = 1;
};

// Where results go: the caller's `out`, or a new array from `allocate` (shape, dtype) or NumPy.
struct Results {
  py::object out, lse, weights;
  Array out_array, lse_array, weights_array;
};

struct Call {
  const char* function;
  const Options& options;
  Array q, k, v;
  AttentionArgs args{};
  MaskMemory memory{};
  std::vector<double> sinks{}, score_weight{};
  Results results{};

  Call(const char* function, py::handle query, py::handle key, py::handle value, const Options& options);

  // Checks that go by the arrays' shapes, each with its message; they fill in the sizes.
  void need_rank(int least, const char* form) const;
  void read_sizes();
  Sizes read_leading();

  void read_numbers();
  void read_score_weight(py::handle weight);
  void read_masks(const ScoreShape& scores);
  void place_inputs();
  void make_results(const Sizes& out_shape, const Sizes& lse_shape, const Sizes& weights_shape, DType dtype);
  py::object answer() const;

  [[noreturn]] void shape_error(const std::string& message) const;

 private:
  void need_one_dtype() const;
  void read_sinks();
  void make_out(const Sizes& shape, DType dtype);
  void make_lse(const Sizes& shape, DType dtype);
  void refuse_overlap() const;
};

}  // namespace pyattn
