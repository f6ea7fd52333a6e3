// Layer normalisation (Ba et al., 2016) of a sum, in one pass over memory:
//
//     (t − mean t) / √(var t + eps) · gamma + beta,   t = x + residual
//
// Rows of unit stride. `out` may be one of the inputs: every element is read before it is written.
#pragma once

#include "rows.h"  // within

namespace pyattn {
namespace {

// The last vector of a row may be partial; the lanes beyond it are not written.
template <class T> PYATTN_INLINE void store_first(T* p, Vec<T> v, std::int64_t n) {
  if (n >= kLanes<T>) return store<T>(p, v);
  for (std::int64_t i = 0; i < n; ++i) p[i] = v[i];
}

template <class T> PYATTN_INLINE T root_of(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_sqrtf(x);
  else return __builtin_sqrt(x);
}

template <class T> PYATTN_INLINE const T* row_of(const char* p) { return reinterpret_cast<const T*>(p); }

template <class T> void layer_norm_row(const NormRow& row) {
  const std::int64_t n = row.length;
  T* out = reinterpret_cast<T*>(row.out);
  Vec<T> sum = {};
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    Vec<T> t = load_first<T>(row_of<T>(row.x) + i, n - i);
    if (row.residual) t += load_first<T>(row_of<T>(row.residual) + i, n - i);
    store_first<T>(out + i, t, n - i);
    sum += t;
  }
  const T rough = sum_of_lanes<T>(sum) / T(n);
  // Squares of differences, not the difference of squares: a mean far from zero would cancel all digits. What the
  // differences add up to is how far the mean is off by its own rounding: nearly equal numbers would be left with that.
  Vec<T> squares = {}, differences = {};
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    const Vec<T> d = within<T>(load_first<T>(out + i, n - i) - rough, n - i);
    differences += d;
    squares += d * d;
  }
  const T rest = sum_of_lanes<T>(differences) / T(n);  // mean = rough + rest
  const T variance = sum_of_lanes<T>(squares) / T(n) - rest * rest;
  const T scale = T(1) / root_of<T>((variance < T(0) ? T(0) : variance) + T(row.eps));
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    const Vec<T> d = load_first<T>(out + i, n - i) - rough - rest;
    const Vec<T> gamma = load_first<T>(row_of<T>(row.gamma) + i, n - i);
    store_first<T>(out + i, d * scale * gamma + load_first<T>(row_of<T>(row.beta) + i, n - i), n - i);
  }
}

}  // namespace
}  // namespace pyattn
