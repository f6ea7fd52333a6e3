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

// What becomes of the weights.
enum class Weights { kExact, kRounded };  // to bfloat16, for products with values

template <class T, Base base, Weights weights> PYATTN_INLINE Vec<T> weight_of(Vec<T> x) {
#if PYATTN_PAIRS
  if constexpr (weights == Weights::kRounded && base == Base::kTwo) return exp2_short(x);
#endif
  return power_negative<T, base>(x);
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
  bool shrinks;            // is one of them not 1?

  // Takes in factor · scores[k][q], factor > 0, and hands on the weights exp(score − max): keep(k, j, weight, next) gets
  // those of keys k and k + 1 in vector j. Keys go in pairs; if one is missing, there is room for it, and it weighs 0.
  template <Base base, Weights weights, class Keep>
  PYATTN_INLINE void absorb(T* scores, std::int64_t keys, T factor, Keep&& keep) {
    raise_max<base, weights>(scores, keys, factor);
    Vec<T> floor[Vectors], block_sum[Vectors];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) {
      floor[j] = finite_max(j);
      block_sum[j] = Vec<T>{};
      if (keys % 2) store<T>(scores + keys * kQ + j * kLanes<T>, splat<T>(-kInf<T>));
    }
    for (std::int64_t k = 0; k < keys; k += 2)
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) {
        const T* at = scores + k * kQ + j * kLanes<T>;
        const Vec<T> weight = weight_of<T, base, weights>(load<T>(at) * factor - floor[j]);
        const Vec<T> next = weight_of<T, base, weights>(load<T>(at + kQ) * factor - floor[j]);
        block_sum[j] = block_sum[j] + weight + next;
        keep(k, j, weight, next);
      }
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) sum[j] = sum[j] * shrink[j] + block_sum[j];
  }

 private:
  PYATTN_INLINE Vec<T> finite_max(int j) const {
    return max[j] == -kInf<T> ? Vec<T>{} : max[j];  // all masked so far: (−inf) − (−inf) is NaN
  }

  // Rounded weights have the same digits whatever their size: there the maximum stays what it is while it would rise by
  // little, and most blocks need not shrink what came before.
  static constexpr T kLittle = T(4);

  template <Base base, Weights weights> PYATTN_INLINE void raise_max(const T* scores, std::int64_t keys, T factor) {
    Vec<T> largest[Vectors];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) largest[j] = splat<T>(-kInf<T>);
    for (std::int64_t k = 0; k < keys; ++k)
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) largest[j] = larger<T>(load<T>(scores + k * kQ + j * kLanes<T>), largest[j]);
    IntVec<T> changed = {};
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) {
      const Vec<T> old_max = max[j];
      max[j] = larger<T>(largest[j] * factor, old_max);
      if constexpr (weights == Weights::kRounded) max[j] = max[j] - kLittle > old_max ? max[j] : old_max;
      shrink[j] = power_negative<T, base>(old_max - finite_max(j));
      changed |= max[j] != old_max;
    }
    shrinks = weights == Weights::kExact || any<T>(changed);
  }
};

}  // namespace
}  // namespace pyattn
