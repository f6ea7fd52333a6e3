// What stands between the matrix products of a Transformer block, each in one pass over memory:
//
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
PYATTN_INLINE void store_first(float* p, Vec<float> v, std::int64_t n) {
  if (n >= kLanes<float>) return store<float>(p, v);
  for (std::int64_t i = 0; i < n; ++i) p[i] = v[i];
}

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

inline void bias_gelu_row(const FusedRow& row) {
  for (std::int64_t i = 0; i < row.length; i += kLanes<float>) {
    const std::int64_t left = row.length - i;
    store_first(row.out + i, gelu(load_first<float>(row.x + i, left) + load_first<float>(row.bias + i, left)), left);
  }
}

inline void residual_layer_norm_row(const FusedRow& row) {
  const std::int64_t n = row.length;
  Vec<float> sum = {};
  for (std::int64_t i = 0; i < n; i += kLanes<float>) {
    Vec<float> t = load_first<float>(row.x + i, n - i) + load_first<float>(row.residual + i, n - i);
    if (row.bias) t += load_first<float>(row.bias + i, n - i);
    store_first(row.out + i, t, n - i);
    sum += t;
  }
  const float mean = sum_of_lanes<float>(sum) / float(n);
  // Squares of differences, not the difference of squares: a mean far from zero would cancel all digits.
  Vec<float> squares = {};
  for (std::int64_t i = 0; i < n; i += kLanes<float>) {
    const Vec<float> d = within<float>(load_first<float>(row.out + i, n - i) - mean, n - i);
    squares += d * d;
  }
  const float scale = 1.0f / __builtin_sqrtf(sum_of_lanes<float>(squares) / float(n) + row.eps);
  for (std::int64_t i = 0; i < n; i += kLanes<float>) {
    const Vec<float> d = load_first<float>(row.out + i, n - i) - mean;
    const Vec<float> y = d * scale * load_first<float>(row.gamma + i, n - i) + load_first<float>(row.beta + i, n - i);
    store_first(row.out + i, y, n - i);
  }
}

}  // namespace
}  // namespace pyattn
