// Softmax of a block of queries, one query per lane, a block of keys at a time (Milakov & Gimelshein, 2018).
//
// Having absorbed scores s_0 .. s_j a lane holds
//     max = max s_i          sum = Σ exp(s_i − max)
// and that is all of the past we need, because exp(a − c) = exp(a − b) · exp(b − c).
#pragma once

#include "exp.h"

namespace pyattn {
namespace {

// The base of the exponential: scores may come premultiplied by log2 e, which saves that product for each of
// them. Never so with a bias: the lowest finite float times log2 e is −inf before the maximum is subtracted.
enum class Base { kE, kTwo };

template <class T, Base base> PYATTN_INLINE Vec<T> power_negative(Vec<T> x) {
  return base == Base::kTwo ? exp2_negative<T>(x) : exp_negative<T>(x);
}

// The sum of a partial state. Where max is −inf it is not the sum that matters but why: nothing attended (0), only
// scores of −inf (−1), or NaN.
template <class T> PYATTN_INLINE T partial_sum(T sum, T max, bool seen) {
  return seen && max == -kInf<T> && sum == T(0) ? T(-1) : sum;
}

template <class T, int Vectors> struct OnlineSoftmax {
  static constexpr int kQ = Vectors * kLanes<T>;
  Vec<T> max[Vectors];
  Vec<T> sum[Vectors];
  Vec<T> shrink[Vectors];  // the factor by which everything accumulated under the old max must shrink

  // Replaces scores[k][q] by exp(score − max).
  template <Base base> PYATTN_INLINE void absorb(T* scores, std::int64_t keys) {
    Vec<T> new_max[Vectors], floor[Vectors], block_sum[Vectors];
#pragma GCC unroll 3
    for (int j = 0; j < Vectors; ++j) new_max[j] = max[j];
    for (std::int64_t k = 0; k < keys; ++k)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) new_max[j] = larger<T>(load<T>(scores + k * kQ + j * kLanes<T>), new_max[j]);
#pragma GCC unroll 3
    for (int j = 0; j < Vectors; ++j) {
      floor[j] = new_max[j] == -kInf<T> ? Vec<T>{} : new_max[j];  // all masked so far: (−inf) − (−inf) is NaN
      shrink[j] = power_negative<T, base>(max[j] - floor[j]);
      max[j] = new_max[j];
      block_sum[j] = Vec<T>{};
    }
    for (std::int64_t k = 0; k < keys; ++k)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) {
        T* at = scores + k * kQ + j * kLanes<T>;
        const Vec<T> weight = power_negative<T, base>(load<T>(at) - floor[j]);
        block_sum[j] += weight;
        store<T>(at, weight);
      }
#pragma GCC unroll 3
    for (int j = 0; j < Vectors; ++j) sum[j] = sum[j] * shrink[j] + block_sum[j];
  }
};

}  // namespace
}  // namespace pyattn
