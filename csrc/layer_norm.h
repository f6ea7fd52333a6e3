// Layer normalisation of all rows of an array.
#pragma once

#include "types.h"

namespace pyattn {

// `first` is the first row; the others follow so many bytes apart. gamma and beta are one row for all.
struct NormArgs {
  DType dtype;
  NormRow first;
  std::int64_t rows, x_stride, residual_stride, out_stride;
  int threads;
};

void layer_norm(const NormArgs& args);

}  // namespace pyattn
