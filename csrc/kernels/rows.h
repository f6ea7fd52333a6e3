// Softmax, log-softmax and logsumexp of one row, in three passes: maximum, sum, result.
// The row of a narrower type is widened once, into scratch.
#pragma once

#include "exp.h"
#include "pack.h"

namespace pyattn {
namespace {

template <class T> PYATTN_INLINE const T* splat_to(T* row, T x) {
  store<T>(row, splat<T>(x));
  return row;
}

// The first n lanes; zero beyond.
template <class T> PYATTN_INLINE Vec<T> within(Vec<T> x, std::int64_t n) {
  return lane_numbers<T>() < splat_int<T>(Int<T>(n)) ? x : Vec<T>{};
}

template <class T> void softmax_row(const RowTask& task, char* scratch) {
  T* row = reinterpret_cast<T*>(scratch);
  const std::int64_t n = task.length;
  fetch_row<T>(task.dtype, task.in, task.in_stride, n, row);
  for (std::int64_t i = n; i < padded<T>(n); ++i) row[i] = -kInf<T>;

  Vec<T> best = splat<T>(-kInf<T>);
  for (std::int64_t i = 0; i < n; i += kLanes<T>) best = larger<T>(load<T>(row + i), best);
  const T max = largest_lane<T>(best);
  const Vec<T> floor = splat<T>(max);

  // A row of only −inf subtracts −inf from −inf: NaN, as IEEE arithmetic has it. logsumexp alone is −inf there.
  if (task.op == RowOp::kLogSumExp && (max == -kInf<T> || max == kInf<T>)) {
    T result = max;
    for (std::int64_t i = 0; i < n; ++i)
      if (row[i] != row[i]) result = row[i];
    store_row<T>(splat_to(row, result), task.dtype, task.out, task.out_stride, 1);
    return;
  }

  // Short sums, added up, keep the rounding of a long row small.
  constexpr std::int64_t kBlock = 128;
  T total = 0;
  for (std::int64_t start = 0; start < n; start += kBlock) {
    Vec<T> sum = {};
    const std::int64_t stop = start + kBlock < n ? start + kBlock : n;
    for (std::int64_t i = start; i < stop; i += kLanes<T>) {
      const Vec<T> x = load<T>(row + i) - floor;
      const Vec<T> e = i + kLanes<T> <= n ? exp_negative<T>(x) : within<T>(exp_negative<T>(x), n - i);
      sum += e;
      store<T>(row + i, task.op == RowOp::kSoftmax ? e : x);
    }
    total += sum_of_lanes<T>(sum);
  }
  if (task.op == RowOp::kLogSumExp) {
    store_row<T>(splat_to(row, max + log_of<T>(total)), task.dtype, task.out, task.out_stride, 1);
    return;
  }
  const Vec<T> factor = splat<T>(1 / total), log_total = splat<T>(log_of<T>(total));
  for (std::int64_t i = 0; i < n; i += kLanes<T>)
    store<T>(row + i, task.op == RowOp::kSoftmax ? load<T>(row + i) * factor : load<T>(row + i) - log_total);
  store_row<T>(row, task.dtype, task.out, task.out_stride, n);
}

}  // namespace
}  // namespace pyattn
