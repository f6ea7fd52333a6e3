// How one kv head's rows and keys are cut into tasks: a pure function of shapes, so that the same problem gives
// the same bits whatever the number of threads and whoever shares the batch.
#pragma once

#include "kernels/kernels.h"

namespace pyattn {

struct Shape {
  std::int64_t rows;  // queries × heads of a group
  std::int64_t keys, width, value_width;
  DType dtype;
  bool weights;   // are the weights asked for?
  bool additive;  // score_weight · tanh(query + key) instead of a product
};

struct Plan {
  bool decode;              // features in lanes instead of queries
  std::int64_t block_rows;  // rows of a task
  std::int64_t blocks;      // tasks over the rows
  std::int64_t split_keys;  // keys of a task
  std::int64_t splits;      // tasks over the keys; more than one are merged
  std::int64_t tasks() const { return blocks * splits; }
};

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Are the rows so few that features in lanes are faster?
bool few_rows(const Shape& shape, std::int64_t lanes);

Plan plan_for(const Shape& shape, const Kernels& kernels);

// Bytes that a task of this plan needs.
std::size_t scratch_bytes(const Shape& shape, const Plan& plan, const Kernels& kernels);

}  // namespace pyattn
