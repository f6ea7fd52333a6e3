// Plain data that every layer of the core shares. No behaviour, no STL, nothing that the linker
// could merge between instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyattn {

enum class DType : std::uint8_t { kFloat32, kFloat64, kFloat16, kBFloat16 };
constexpr int kDTypes = 4;
constexpr int kWholeTypes = 2;  // the first two, which are stored as they are computed with

constexpr int kMaxLeading = 16;                            // leading (batch) axes of one call
constexpr std::int64_t kFarthest = std::int64_t{1} << 40;  // ends of intervals are clamped to it: no array is longer
constexpr std::int64_t kUnbounded = INT64_MAX;             // "no limit" of a window, from any offset
constexpr int kMaxTerms = 8;                               // dense masks, or biases, of one call

// One array of a call, by byte strides (zero broadcasts, negative runs backwards).
// Its axes are the call's leading axes, then head, row, column.
struct TensorView {
  char* data;
  DType dtype;
  std::int64_t leading_stride[kMaxLeading];
  std::int64_t head_stride, row_stride, column_stride;
};

// One boolean or floating term over (batch, query head, query, key); the same strides without a copy.
using TermView = TensorView;

enum class Align : std::uint8_t { kBottomRight, kTopLeft };

// Which keys a query may see, but for the dense masks: query i of an item sees the keys
//     i + offset − left  ≤  j  ≤  i + offset + right,      0 ≤ j < key_length,
// and none at all when i ≥ query_length.
struct KeyInterval { std::int64_t offset, left, right, key_length, query_length; };

// The mask of a whole call. Arrays are per batch item and may be null.
struct MaskSpec {
  bool structured = false;  // is any of the following set?
  Align align = Align::kBottomRight;
  bool has_offset = false;
  std::int64_t offset = 0;
  const std::int64_t* offsets = nullptr;
  std::int64_t left = kUnbounded, right = kUnbounded;
  const std::int64_t* key_lengths = nullptr;
  const std::int64_t* query_lengths = nullptr;
  int keeps = 0;
  TermView keep[kMaxTerms];
};

struct AttentionArgs {
  TensorView query, key, value, out, lse, weights;
  bool has_lse = false, has_weights = false;

  int leading_rank = 0;
  std::int64_t leading[kMaxLeading];
  std::int64_t batch = 1, heads = 1, kv_heads = 1, queries = 0, keys = 0, width = 0, value_width = 0;
  // Packed sequences: item b owns rows [offsets[b], offsets[b + 1]). Null for ordinary batches.
  const std::int64_t* query_offsets = nullptr;
  const std::int64_t* key_offsets = nullptr;

  double scale = 1.0;
  double softcap = 0.0;  // 0: none
  // (width,), or null. If there is one, the score of a query and a key is not their product but
  // score_weight · tanh(query + key), and `scale` is not used: query and key come projected, as float32 or float64.
  const double* score_weight = nullptr;
  const double* sinks = nullptr;   // (heads,)
  const double* slopes = nullptr;  // (heads,): ALiBi
  int biases = 0;
  TermView bias[kMaxTerms];
  MaskSpec mask;
  int threads = 1;
};

// ---- what a kernel gets ----

struct Matrix {
  char* data;
  std::int64_t row_stride, column_stride;  // bytes
  DType dtype;
};

// A dense term for the queries of one kv head's group.
struct Term {
  const char* data;
  std::int64_t head_stride, row_stride, column_stride;
  DType dtype;
};

// The softmax state of some rows over some keys: rows of unnormalised sums, their maxima and sums of exp.
struct PartialState {
  void* sums;  // (rows, value_width)
  void* max;   // (rows,)
  void* sum;   // (rows,)
};

enum class Visible : std::uint8_t { kNone, kAll, kSome };

// A block of query rows of one kv head against a range of keys. The rows of all query heads that share
// the kv head are counted together: row r is query r / group of head r % group.
struct BlockTask {
  Matrix query, key, value, out;
  std::int64_t query_head_stride, out_head_stride;
  std::int64_t first_row, rows, group;
  std::int64_t first_key, last_key;
  std::int64_t width, value_width;
  double scale, softcap;
  const double* sinks;         // (group,) or null
  const double* slopes;        // (group,) or null
  const double* score_weight;  // (width,) or null: scores are score_weight · tanh(query + key)

  KeyInterval interval;
  bool structured;         // does `interval` hide anything?
  const Visible* visible;  // per key block from first_key on; null: all
  int keeps, biases;
  Term keep[kMaxTerms];
  Term bias[kMaxTerms];

  Matrix weights;  // data null: not wanted
  std::int64_t weights_head_stride;
  char* lse;  // null: not wanted
  std::int64_t lse_head_stride, lse_row_stride;

  PartialState partial;  // sums null: write the finished result to `out`
  bool careful;          // masked NaN or inf met: keep it out at any price
  bool cold;             // keys and values come from further away than the second-level cache: ask for them in time
};

// A finished state per row from the partial states of `splits` disjoint ranges of keys.
struct MergeTask {
  PartialState parts;  // (splits, rows, …)
  std::int64_t splits, rows, value_width;
  Matrix out;  // row r is query r / group of head r % group
  std::int64_t out_head_stride, group, first_row;
  char* lse;
  std::int64_t lse_head_stride, lse_row_stride;
};

enum class RowOp : std::uint8_t { kSoftmax, kLogSoftmax, kLogSumExp };

struct RowTask {
  RowOp op;
  DType dtype;
  const char* in;
  char* out;
  std::int64_t length, in_stride, out_stride;  // bytes between the elements of the row
};

enum class Activation : std::uint8_t { kNone, kRelu, kGelu };

// Some outputs of some rows of a linear map, all in the kernel's type.
struct LinearTask {
  Matrix x, weight, out;  // (rows, width), (outputs, width), (rows, outputs) of the whole map
  const char* bias;       // (outputs,), or null
  std::int64_t bias_stride;
  Activation activation;
  std::int64_t width, first_row, rows, first_output, outputs;
};

// A row to be normalised, all in the kernel's type; the residual may be null.
struct NormRow {
  const char* x;
  const char* residual;
  const char* gamma;
  const char* beta;
  char* out;
  std::int64_t length;
  double eps;
};

}  // namespace pyattn
