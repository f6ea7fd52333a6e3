// A linear map of all rows of an array.
#pragma once

#include "types.h"

namespace pyattn {

// out (rows, outputs) = activation(x (rows, width) · weightᵀ + bias), weight (outputs, width), float32 or float64
// throughout.
struct LinearArgs {
  Matrix x, weight, out;
  const char* bias;  // (outputs,), or null
  std::int64_t bias_stride;
  Activation activation;
  std::int64_t rows, outputs, width;
  int threads;
};

void linear(const LinearArgs& args);

}  // namespace pyattn
