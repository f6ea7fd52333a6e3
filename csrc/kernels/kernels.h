// The door between the core and its kernels: one table of functions per instruction set.
#pragma once

#include "types.h"

namespace pyattn {

constexpr std::int64_t kKeyBlockKeys =
    128;  // keys that a kernel takes at a time; BlockTask::visible has one entry each

struct Kernels {
  const char* isa;
  // Queries in lanes: in groups of lane_rows[dtype], at most query_block[dtype] rows. False: run again with task.careful.
  std::int64_t lane_rows[kDTypes], query_block[kDTypes];
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
  // Linear maps: at most so many rows and outputs with rows in lanes, or any number of both with the features there.
  std::int64_t linear_rows[kWholeTypes], linear_outputs;
  void (*linear[kWholeTypes])(const LinearTask&, char* scratch);
  std::size_t (*linear_scratch[kWholeTypes])();
  void (*linear_few[kWholeTypes])(const LinearTask&, char* scratch);  // scratch: decode_scratch, of no values
  // `out` may be an input.
  void (*layer_norm_row[kWholeTypes])(const NormRow&);
};

extern "C" {
extern const Kernels pyattn_kernels_baseline;
extern const Kernels pyattn_kernels_v3;
extern const Kernels pyattn_kernels_v4;
extern const Kernels pyattn_kernels_v4_bf16;
extern const Kernels pyattn_kernels_v4_amx;
}

}  // namespace pyattn
