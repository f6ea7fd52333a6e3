// Row-wise functions over the last axis of an array: softmax and its relatives.
#pragma once

#include "types.h"

namespace pyattn {

// All rows of an array: the first one, and how the others are reached from it along the other axes.
struct RowsArgs {
  RowTask row;  // the first row
  int rank;     // axes besides the row's own
  std::int64_t shape[64];
  std::int64_t in_stride[64], out_stride[64];
  int threads;
};

void softmax_rows(const RowsArgs& args);

}  // namespace pyattn
