// What stands between the matrix products of a Transformer block, over all rows of an array.
#pragma once

#include "types.h"

namespace pyattn {

// `first` is the first row; the others follow so many bytes apart. gamma, beta and bias are one row for all.
struct FusedArgs {
  DType dtype;
  FusedRow first;
  std::int64_t rows, x_stride, residual_stride, out_stride;
  int threads;
};

void bias_relu(const FusedArgs& args);
void bias_gelu(const FusedArgs& args);
void residual_layer_norm(const FusedArgs& args);

}  // namespace pyattn
