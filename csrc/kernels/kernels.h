// The door between the core and its kernels: one table of functions per instruction set.
#pragma once

#include "types.h"

namespace pyattn {

constexpr std::int64_t kKeyBlockKeys =
    128;  // keys that a kernel takes at a time; BlockTask::visible has one entry each

struct Kernels {
  const char* isa;
  // Queries in lanes: at most query_block[dtype] rows. False: run again with task.careful.
  std::int64_t query_block[kDTypes];
  std::int64_t lanes[kDTypes];
  bool (*attend[kDTypes])(const BlockTask&, char* scratch);
  std::size_t (*attend_scratch[kDTypes])(std::int64_t width, std::int64_t value_width);
  // Features in lanes: any number of rows, made for few.
  bool (*decode[kDTypes])(const BlockTask&, char* scratch);
  std::size_t (*decode_scratch[kDTypes])(std::int64_t rows, std::int64_t width, std::int64_t value_width);
  // Scratch: one row of value_width, padded to a cache line.
  void (*merge[kDTypes])(const MergeTask&, char* scratch);
  // Scratch: one row in the arithmetic's type, padded to a cache line.
  void (*softmax_row[kDTypes])(const RowTask&, char* scratch);
  // The same two kinds for additive scores, of float32 and float64.
  bool (*attend_additive[kWholeTypes])(const BlockTask&, char* scratch);
  bool (*decode_additive[kWholeTypes])(const BlockTask&, char* scratch);
  // `out` may be an input.
  void (*bias_relu_row[kWholeTypes])(const FusedRow&);
  void (*bias_gelu_row[kWholeTypes])(const FusedRow&);
  void (*residual_layer_norm_row[kWholeTypes])(const FusedRow&);
};

extern "C" {
extern const Kernels pyattn_kernels_baseline;
extern const Kernels pyattn_kernels_v3;
extern const Kernels pyattn_kernels_v4;
extern const Kernels pyattn_kernels_v4_bf16;
extern const Kernels pyattn_kernels_v4_amx;
}

}  // namespace pyattn
