// Joining attention over disjoint ranges of keys: each part is (Σ exp(s − max) · v, max, Σ exp(s − max)).
//
//     out = Σ_p exp(max_p − max) · sums_p  /  Σ_p exp(max_p − max) · sum_p,     max = max_p max_p
//
// Parts are added in the order of their keys, whoever computed them.
#pragma once

#include "exp.h"
#include "pack.h"
#include "scratch.h"

namespace pyattn {
namespace {

// A part whose max is −inf weighs nothing but for its NaNs (softmax.h: partial_sum). If all are so, the row attended
// nothing and is zeros, or only scores of −inf and is NaN.
template <class T> void merge_row(const MergeTask& task, std::int64_t r, T* row) {
  const T* sums = static_cast<const T*>(task.parts.sums);
  const T* maxima = static_cast<const T*>(task.parts.max);
  const T* part_sums = static_cast<const T*>(task.parts.sum);
  T max = -kInf<T>;
  for (std::int64_t p = 0; p < task.splits; ++p)
    max = maxima[p * task.rows + r] > max ? maxima[p * task.rows + r] : max;
  const bool none = max == -kInf<T>;
  clear(row, padded<T>(task.value_width));
  T sum = 0;
  for (std::int64_t p = 0; p < task.splits; ++p) {
    const std::int64_t at = p * task.rows + r;
    const bool empty = maxima[at] == -kInf<T>;
    const T share = empty ? T(1) : exp_negative<T>(splat<T>(maxima[at] - max))[0];
    if (!empty || none || part_sums[at] != part_sums[at]) sum += share * part_sums[at];
    for (std::int64_t d = 0; d < task.value_width; ++d) row[d] += share * sums[at * task.value_width + d];
  }
  const bool nothing = none && sum == 0;
  const T factor = nothing ? T(0) : none ? T(__builtin_nan("")) : 1 / sum;
  for (std::int64_t d = 0; d < task.value_width; ++d) row[d] *= factor;
  if (!task.lse) return;
  const std::int64_t query = (task.first_row + r) / task.group, head = (task.first_row + r) % task.group;
  const T lse = none && sum == sum ? -kInf<T> : max + log_of<T>(sum);
  __builtin_memcpy(task.lse + head * task.lse_head_stride + query * task.lse_row_stride, &lse, sizeof lse);
}

template <class T> void merge(const MergeTask& task, char* scratch) {
  T* row = reinterpret_cast<T*>(scratch);
  for (std::int64_t r = 0; r < task.rows; ++r) {
    merge_row<T>(task, r, row);
    const std::int64_t query = (task.first_row + r) / task.group, head = (task.first_row + r) % task.group;
    store_row<T>(row, task.out.dtype, task.out.data + head * task.out_head_stride + query * task.out.row_stride,
                 task.out.column_stride, task.value_width);
  }
}

}  // namespace
}  // namespace pyattn
