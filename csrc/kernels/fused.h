// What stands between the matrix products of a Transformer block, each in one pass over memory:
//
//     bias_relu             max(x + bias, 0)
//     bias_gelu             gelu(x + bias),   gelu(x) = x · Φ(x)
//     residual_layer_norm   (t − mean t) / √(var t + eps) · gamma + beta,   t = x + residual + bias
//
// Rows of unit stride. `out` may be one of the inputs: every element is read before it is written.
#pragma once

#include "exp.h"
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

// gelu(x) = max(x, 0) − |x| Φ(−|x|): the small term is subtracted from an exact one, so the error is that of one
// rounding, and what is far below zero keeps its digits, which 1 + erf would cancel.
//
//     Φ(−a) = e^(−a²/2) · R(a),   R a minimax quotient on [0, 6], relative error 6e-8; R(a) → 0 beyond.
PYATTN_INLINE Vec<float> gelu(Vec<float> x) {
  const Vec<float> size = absolute<float>(x), limit = splat<float>(16.0f);  // e^(−16²/2) is 0 here
  const Vec<float> a = size < limit ? size : limit;                         // and inf / inf would be NaN
  const Vec<float> above = ((1.3632678e-2f * a + 0.10448197f) * a + 0.33460194f) * a + 0.49999997f;
  const Vec<float> below = (((3.419264e-2f * a + 0.2613449f) * a + 0.8795626f) * a + 1.4670849f) * a + 1.0f;
  const Vec<float> tail = exp_negative<float>(-0.5f * a * a) * (a * (above / below));
  return larger<float>(Vec<float>{}, x) - tail;
}

// Lane by lane: float64 is asked for its digits. Φ(x) = erfc(−x/√2)/2; −inf · 0 would be NaN.
PYATTN_INLINE Vec<double> gelu(Vec<double> x) {
  Vec<double> y;
  for (int i = 0; i < kLanes<double>; ++i)
    y[i] = x[i] == -kInf<double> ? 0.0 : 0.5 * x[i] * __builtin_erfc(-x[i] * 0.70710678118654752440);
  return y;
}

template <class T, class F> PYATTN_INLINE void for_each_sum(const FusedRow& row, F&& f) {
  for (std::int64_t i = 0; i < row.length; i += kLanes<T>) {
    const std::int64_t left = row.length - i;
    const Vec<T> sum = load_first<T>(row_of<T>(row.x) + i, left) + load_first<T>(row_of<T>(row.bias) + i, left);
    store_first<T>(reinterpret_cast<T*>(row.out) + i, f(sum), left);
  }
}

template <class T> void bias_relu_row(const FusedRow& row) {
  for_each_sum<T>(row, [](Vec<T> x) __attribute__((always_inline)) { return larger<T>(Vec<T>{}, x); });
}

template <class T> void bias_gelu_row(const FusedRow& row) {
  for_each_sum<T>(row, [](Vec<T> x) __attribute__((always_inline)) { return gelu(x); });
}

template <class T> void residual_layer_norm_row(const FusedRow& row) {
  const std::int64_t n = row.length;
  T* out = reinterpret_cast<T*>(row.out);
  Vec<T> sum = {};
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    Vec<T> t = load_first<T>(row_of<T>(row.x) + i, n - i);
    if (row.residual) t += load_first<T>(row_of<T>(row.residual) + i, n - i);
    if (row.bias) t += load_first<T>(row_of<T>(row.bias) + i, n - i);
    store_first<T>(out + i, t, n - i);
    sum += t;
  }
  const T mean = sum_of_lanes<T>(sum) / T(n);
  // Squares of differences, not the difference of squares: a mean far from zero would cancel all digits.
  Vec<T> squares = {};
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    const Vec<T> d = within<T>(load_first<T>(out + i, n - i) - mean, n - i);
    squares += d * d;
  }
  const T scale = T(1) / root_of<T>(sum_of_lanes<T>(squares) / T(n) + T(row.eps));
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    const Vec<T> d = load_first<T>(out + i, n - i) - mean;
    const Vec<T> gamma = load_first<T>(row_of<T>(row.gamma) + i, n - i);
    store_first<T>(out + i, d * scale * gamma + load_first<T>(row_of<T>(row.beta) + i, n - i), n - i);
  }
}

}  // namespace
}  // namespace pyattn
