// What a linear map may be followed by, in lanes.
#pragma once

#include "exp.h"

namespace pyattn {
namespace {

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

// f(activation), with the activation as something to call on a vector.
template <class T, class F> PYATTN_INLINE void with_activation(Activation activation, F&& f) {
  switch (activation) {
    case Activation::kNone: return f([](Vec<T> x) __attribute__((always_inline)) { return x; });
    case Activation::kRelu: return f([](Vec<T> x) __attribute__((always_inline)) { return larger<T>(Vec<T>{}, x); });
    case Activation::kGelu: return f([](Vec<T> x) __attribute__((always_inline)) { return gelu(x); });
  }
}

}  // namespace
}  // namespace pyattn
