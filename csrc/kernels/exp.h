// Exponentials in lanes.
//
//     2^x = 2^n · 2^f,   n = round(x),   |f| ≤ 1/2
//
// n is found by adding 1.5·2^p, which leaves it in the low bits of the sum, from where one shift puts it
// into the exponent. 2^f is a minimax polynomial with the constant term exactly 1, so that 2^0 is 1.
// Relative error, measured: 2e-7 for float (1.6 ulp), 2.2e-16 for double (1 ulp).
#pragma once

#include "simd.h"

namespace pyattn {
namespace {

template <class T> struct Exp2;
template <> struct Exp2<float> {
  static constexpr float kRound = 0x1.8p23f;
  static constexpr int kMantissa = 23;
  static constexpr float kLowest = -126.0f;  // below, the result is 0: a subnormal weight makes every FMA slow
  static constexpr int kTerms = 5;
  static constexpr float kPoly[kTerms] = {1.326472714e-3f, 9.67151264e-3f, 5.550733743e-2f, 2.402224209e-1f,
                                          6.931469776e-1f};
};
template <> struct Exp2<double> {
  static constexpr double kRound = 0x1.8p52;
  static constexpr int kMantissa = 52;
  static constexpr double kLowest = -1022.0;
  static constexpr int kTerms = 11;
  static constexpr double kPoly[kTerms] = {
      4.4549605981865183938e-10, 7.0725859492692236999e-9, 1.0178062445845773521e-7, 1.3215442587921689653e-6,
      1.5252733829836118394e-5,  1.5403530441736050155e-4, 1.333355814641693531e-3,  9.6181291076068885273e-3,
      5.5504108664821594339e-2,  2.402265069591009822e-1,  6.9314718055994530942e-1};
};

template <class T> constexpr T kLog2E = T(1.4426950408889634073599246810019L);
template <class T> constexpr T kLn2 = T(0.69314718055994530941723212145818L);

// p · 2^n.
template <class T> PYATTN_INLINE Vec<T> times_power_of_two(Vec<T> p, Vec<T> n_shifted) {
  using E = Exp2<T>;
  if constexpr (kScales) return scaled<T>(p, n_shifted - E::kRound);
  // Unsigned: in a lane that is too low to count, the sum may overflow.
  const UIntVec<T> power = ((UIntVec<T>)n_shifted << E::kMantissa) + (UIntVec<T>)splat<T>(T(1));
  return p * (Vec<T>)power;
}

// 2^n · 2^f for n given as n + kRound; exactly 0 where `x` is too low, NaN where f is: scaling multiplies
// rather than adds to the exponent, because a sum of bits can turn NaN into a number.
template <class T> PYATTN_INLINE Vec<T> scale_by_power(Vec<T> x, Vec<T> n_shifted, Vec<T> f) {
  using E = Exp2<T>;
  Vec<T> p = splat<T>(E::kPoly[0]);
#pragma GCC unroll 16
  for (int i = 1; i < E::kTerms; ++i) p = p * f + E::kPoly[i];
  p = p * f + T(1);
  return x < E::kLowest ? Vec<T>{} : times_power_of_two<T>(p, n_shifted);
}

// 2^x for x ≤ 0, and NaN of NaN. Exactly 0 for x < kLowest, −inf among them.
template <class T> PYATTN_INLINE Vec<T> exp2_negative(Vec<T> x) {
  const Vec<T> n_shifted = x + Exp2<T>::kRound;
  return scale_by_power<T>(x, n_shifted, x - (n_shifted - Exp2<T>::kRound));
}

#if PYATTN_PAIRS
// 2^x of a weight that will be rounded to bfloat16, with 2^f over 0 ≤ f < 1, the constant term again 1. Relative error
// 3e-6. Any x below 128; exactly 0 where exp2_negative is.
PYATTN_INLINE Vec<float> exp2_short(Vec<float> x) {
  const Vec<float> f = above_floor(x);
  Vec<float> p = f * 0x1.b7f734p-7f + 0x1.abf868p-5f;
  p = p * f + 0x1.ee2452p-3f;
  p = p * f + 0x1.62d6c6p-1f;
  return scaled_by_floor(p * f + 1.0f, x, Exp2<float>::kLowest);
}
#endif

// ln 2 in two parts; n · high is exact for every n there is, so that x − n · ln 2 is rounded once, with or without
// fused products.
template <class T> struct Ln2;
template <> struct Ln2<float> { static constexpr float kHigh = 0x1.63p-1f, kLow = -0x1.bd0106p-13f; };
template <> struct Ln2<double> { static constexpr double kHigh = 0x1.62e42feep-1, kLow = 0x1.a39ef35793c76p-33; };

// e^x for x ≤ 0. Exactly 0 below kLowest · ln 2.
template <class T> PYATTN_INLINE Vec<T> exp_negative(Vec<T> x) {
  const Vec<T> n_shifted = x * kLog2E<T> + Exp2<T>::kRound;
  const Vec<T> n = n_shifted - Exp2<T>::kRound;
  const Vec<T> rest = (x - n * Ln2<T>::kHigh) - n * Ln2<T>::kLow;
  return scale_by_power<T>(x * kLog2E<T>, n_shifted, rest * kLog2E<T>);
}

template <class T> PYATTN_INLINE T log_of(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_logf(x);
  else return __builtin_log(x);
}

// tanh x: an odd polynomial near 0 (an exponential would cancel there), (1 − t)/(1 + t) with t = e^(−2|x|) beyond.
template <class T> struct Tanh;
template <> struct Tanh<float> {
  static constexpr int kTerms = 6;
  static constexpr float kPoly[kTerms] = {2.2989418e-3f,  -8.3500084e-3f, 2.1770996e-2f,
                                          -5.3959550e-2f, 1.3333305e-1f,  -3.3333333e-1f};
};
template <> struct Tanh<double> {
  static constexpr int kTerms = 13;
  static constexpr double kPoly[kTerms] = {
      -2.4454245946715684645e-6, 1.222538546600936524e-5,  -3.7096938398412384713e-5, 9.6050447494330716563e-5,
      -2.3889294460773646828e-4, 5.8998267984807611119e-4, -1.4558285421961261275e-3, 3.592127523042617852e-3,
      -8.8632355008640979701e-3, 2.1869488535176325995e-2, -5.3968253968236805275e-2, 1.3333333333333321503e-1,
      -3.333333333333333332e-1};
};

template <class T> PYATTN_INLINE Vec<T> tanh_of(Vec<T> x) {
  const Vec<T> size = absolute<T>(x), z = x * x;
  Vec<T> p = splat<T>(Tanh<T>::kPoly[0]);
#pragma GCC unroll 16
  for (int i = 1; i < Tanh<T>::kTerms; ++i) p = p * z + Tanh<T>::kPoly[i];
  const Vec<T> near = x * z * p + x;
  const Vec<T> t = exp_negative<T>(size * T(-2));
  const Vec<T> far = (T(1) - t) / (T(1) + t);
  const Vec<T> signed_far = x < T(0) ? -far : far;
  return size < T(0.625) ? near : signed_far;
}

}  // namespace
}  // namespace pyattn
