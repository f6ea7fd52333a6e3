// Python's Mask and bias objects as the core's specification.
#pragma once

#include "array_view.h"

namespace pyattn {

// What the specification points into.
struct MaskMemory {
  std::vector<std::int64_t> offsets, key_lengths, query_lengths;
  std::vector<double> slopes;
  std::vector<Array> terms;  // boolean masks and biases: kept alive, and apart from `out`
};

// The sizes that masks and biases broadcast to. `leading` are the call's leading axes.
struct ScoreShape {
  std::vector<std::int64_t> leading;
  std::int64_t batch, heads, queries, keys;
  bool packed;  // sizes vary by item: queries and keys are the largest
  const std::int64_t* query_offsets;
  const std::int64_t* key_offsets;
};

void read_mask(py::handle mask, const char* function, const ScoreShape& shape, AttentionArgs& args, MaskMemory& memory);
void read_bias(py::handle bias, const char* function, const ScoreShape& shape, AttentionArgs& args, MaskMemory& memory);

}  // namespace pyattn
