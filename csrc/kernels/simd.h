// Vectors of the instruction set this file is compiled for, so that a kernel reads like algebra.
//
// Built on the compilers' vector extensions: +, -, *, /, <, ?: work lane by lane, and a * b + c becomes
// one fused instruction where there is one. Intrinsics stand here, and nowhere else, where the compiler
// does not find the instruction by itself.
//
// Rules for csrc/kernels (a test runs nm on the objects): no STL, no allocation, no exceptions, nothing
// with external linkage but the table. An inline function of an AVX-512 object is a weak symbol that the
// linker may hand to baseline code, which then dies on an older processor.
#pragma once

#include <cstdint>

#include "types.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define PYATTN_INLINE inline __attribute__((always_inline))

namespace pyattn {
namespace {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
constexpr int kAccumulators = 24;  // of 32 registers
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
constexpr int kAccumulators = 12;  // of 16
#elif defined(__aarch64__)
constexpr int kVectorBytes = 16;
constexpr int kAccumulators = 24;
#else
constexpr int kVectorBytes = 16;
constexpr int kAccumulators = 12;
#endif

template <class T> struct IntOf;
template <> struct IntOf<float> { using type = std::int32_t; };
template <> struct IntOf<double> { using type = std::int64_t; };
template <class T> struct UIntOf;
template <> struct UIntOf<float> { using type = std::uint32_t; };
template <> struct UIntOf<double> { using type = std::uint64_t; };
template <class T> using Int = typename IntOf<T>::type;

template <class T> struct VecOf {
  typedef T type __attribute__((vector_size(kVectorBytes)));
  typedef T in_memory __attribute__((vector_size(kVectorBytes), aligned(1), may_alias));
};
template <class T> using Vec = typename VecOf<T>::type;          // lanes of T
template <class T> using IntVec = typename VecOf<Int<T>>::type;  // as many lanes of integers: also the masks
template <class T> using UIntVec = typename VecOf<typename UIntOf<T>::type>::type;

template <class T> constexpr int kLanes = kVectorBytes / int(sizeof(T));

template <class T> constexpr T kInf = T(__builtin_inf());

// Keeps the compiler from loading x again wherever it is used: a register serves several products, a load one.
template <class V> PYATTN_INLINE V in_register(V x) {
#if defined(__x86_64__)
  __asm__("" : "+v"(x));
#elif defined(__aarch64__)
  __asm__("" : "+w"(x));
#endif
  return x;
}

template <class T> PYATTN_INLINE Vec<T> load(const T* p) {
  return *reinterpret_cast<const typename VecOf<T>::in_memory*>(p);
}
template <class T> PYATTN_INLINE void store(T* p, Vec<T> v) { *reinterpret_cast<typename VecOf<T>::in_memory*>(p) = v; }

template <class T> PYATTN_INLINE Vec<T> splat(T x) {
  return x - Vec<T>{};  // x − 0 keeps the sign of zero, x + 0 would not
}
template <class T> PYATTN_INLINE IntVec<T> splat_int(Int<T> x) { return x + IntVec<T>{}; }

template <class T> PYATTN_INLINE IntVec<T> lane_numbers() {
  IntVec<T> v;
  for (int i = 0; i < kLanes<T>; ++i) v[i] = Int<T>(i);
  return v;
}

// The larger lane; where one is NaN, b. So a running maximum, kept as b, is never NaN.
template <class T> PYATTN_INLINE Vec<T> larger(Vec<T> a, Vec<T> b) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) return (Vec<T>)_mm512_max_ps((__m512)a, (__m512)b);
  else return (Vec<T>)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) return (Vec<T>)_mm256_max_ps((__m256)a, (__m256)b);
  else return (Vec<T>)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
  return a > b ? a : b;
#endif
}

// p · 2^n for whole n, where there is an instruction for it.
#if defined(__AVX512F__)
constexpr bool kScales = true;
template <class T> PYATTN_INLINE Vec<T> scaled(Vec<T> p, Vec<T> n) {
  if constexpr (sizeof(T) == 4) return (Vec<T>)_mm512_scalef_ps((__m512)p, (__m512)n);
  else return (Vec<T>)_mm512_scalef_pd((__m512d)p, (__m512d)n);
}
#if defined(__AVX512DQ__)
// x − ⌊x⌋, and 0 of −inf.
PYATTN_INLINE Vec<float> above_floor(Vec<float> x) { return (Vec<float>)_mm512_reduce_ps((__m512)x, 0x09); }
// p · 2^⌊x⌋, and 0 for x < lowest.
PYATTN_INLINE Vec<float> scaled_by_floor(Vec<float> p, Vec<float> x, float lowest) {
  const __mmask16 counts = _mm512_cmp_ps_mask((__m512)x, _mm512_set1_ps(lowest), _CMP_NLT_UQ);
  return (Vec<float>)_mm512_maskz_scalef_ps(counts, (__m512)p, (__m512)x);
}
#endif
#else
constexpr bool kScales = false;
template <class T> Vec<T> scaled(Vec<T> p, Vec<T> n);
#endif

template <class T> PYATTN_INLINE Vec<T> absolute(Vec<T> x) {
  return (Vec<T>)((IntVec<T>)x & ~(IntVec<T>)splat<T>(T(-0.0)));
}

template <class T> PYATTN_INLINE bool any(IntVec<T> mask) {
  Int<T> all = 0;
  for (int i = 0; i < kLanes<T>; ++i) all |= mask[i];
  return all != 0;
}

template <class T> PYATTN_INLINE T sum_of_lanes(Vec<T> v) {
  T sums[kLanes<T>];
  store<T>(sums, v);
  for (int half = kLanes<T> / 2; half; half /= 2)
    for (int i = 0; i < half; ++i) sums[i] += sums[i + half];
  return sums[0];
}

template <class T> PYATTN_INLINE T largest_lane(Vec<T> v) {
  T best = v[0];
  for (int i = 1; i < kLanes<T>; ++i) best = best > v[i] ? best : v[i];
  return best;
}

// ---- rearranging lanes ----

// One step of the butterfly: trades, between rows `Step` apart, the lanes whose number has that bit.
template <class V, class Index, int Lanes, int Step>
PYATTN_INLINE void butterfly(V& a, V& b) {
  Index low, high;
  for (int j = 0; j < Lanes; ++j) {
    low[j] = (j & Step) ? j - Step + Lanes : j;
    high[j] = (j & Step) ? j + Lanes : j + Step;
  }
  const V old = a;
  a = __builtin_shuffle(old, b, low);
  b = __builtin_shuffle(old, b, high);
}

template <class V, class Index, int Lanes, int Step>
PYATTN_INLINE void transpose_steps(V* rows) {
#pragma GCC unroll 16
  for (int i = 0; i < Lanes; ++i)
    if (!(i & Step)) butterfly<V, Index, Lanes, Step>(rows[i], rows[i + Step]);
  if constexpr (Step > 1) transpose_steps<V, Index, Lanes, Step / 2>(rows);
}

// A square of lanes: element j of row i becomes element i of row j.
template <class T> PYATTN_INLINE void transpose(Vec<T>* rows) {
  transpose_steps<Vec<T>, IntVec<T>, kLanes<T>, kLanes<T> / 2>(rows);
}

typedef std::uint8_t Bytes16 __attribute__((vector_size(16)));
PYATTN_INLINE void transpose_bytes(Bytes16* rows) { transpose_steps<Bytes16, Bytes16, 16, 8>(rows); }

// Adds up the lanes of each of kLanes vectors at once: lane i of the result is the sum of rows[i].
// A tree: every step halves the number of vectors.
template <class T, int Step> PYATTN_INLINE void add_across(Vec<T>* rows) {
#pragma GCC unroll 16
  for (int i = 0; i < Step; ++i) {
    butterfly<Vec<T>, IntVec<T>, kLanes<T>, Step>(rows[i], rows[i + Step]);
    rows[i] += rows[i + Step];
  }
  if constexpr (Step > 1) add_across<T, Step / 2>(rows);
}
template <class T> PYATTN_INLINE Vec<T> sums_of_rows(Vec<T>* rows) {
  add_across<T, kLanes<T> / 2>(rows);
  return rows[0];
}

// ---- squares turned over on their way from memory ----

constexpr int kUnit = 16;  // bytes: what shuffles do not cross, and loads can put anywhere

// Unit i from p + i · stride (bytes).
template <class T> PYATTN_INLINE Vec<T> load_units(const char* p, std::int64_t stride) {
#if defined(__x86_64__) && defined(__AVX__)
  const auto unit = [=](int i) { return _mm_loadu_ps(reinterpret_cast<const float*>(p + i * stride)); };
#endif
#if defined(__AVX512F__)
  __m512 v = _mm512_castps128_ps512(unit(0));
  v = _mm512_insertf32x4(v, unit(1), 1);
  v = _mm512_insertf32x4(v, unit(2), 2);
  return (Vec<T>)_mm512_insertf32x4(v, unit(3), 3);
#elif defined(__AVX__)
  return (Vec<T>)_mm256_insertf128_ps(_mm256_castps128_ps256(unit(0)), unit(1), 1);
#else
  (void)stride;
  return load<T>(reinterpret_cast<const T*>(p));
#endif
}

// In each unit, the elements of a and b by turns: those of its first half, or of its second.
template <class T, bool kSecond> PYATTN_INLINE Vec<T> by_turns(Vec<T> a, Vec<T> b) {
  constexpr int n = kUnit / int(sizeof(T));
  IntVec<T> order;
  for (int i = 0; i < kLanes<T>; ++i) {
    const int from = i / n * n + i % n / 2 + (kSecond ? n / 2 : 0);
    order[i] = Int<T>(i % 2 ? from + kLanes<T> : from);
  }
  return __builtin_shuffle(a, b, order);
}

// f(column, v): v holds that column of the square of rows at p, `stride` elements apart.
template <class T, class F> PYATTN_INLINE void turn_square(const T* p, std::int64_t stride, F&& f) {
  constexpr int n = kUnit / int(sizeof(T));
  const std::int64_t bytes = stride * std::int64_t(sizeof(T));
#pragma GCC unroll 4
  for (int c = 0; c < kLanes<T>; c += n) {
    Vec<T> rows[n];
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) rows[i] = load_units<T>(reinterpret_cast<const char*>(p + c) + i * bytes, n * bytes);
    // Dealing two halves of a pack like cards moves the bits of (row, element) by one place; n / 2 times exchange them.
#pragma GCC unroll 2
    for (int round = 0; round < n / 2; ++round) {
      Vec<T> dealt[n];
#pragma GCC unroll 2
      for (int i = 0; i < n / 2; ++i) {
        dealt[2 * i] = by_turns<T, false>(rows[i], rows[i + n / 2]);
        dealt[2 * i + 1] = by_turns<T, true>(rows[i], rows[i + n / 2]);
      }
#pragma GCC unroll 4
      for (int i = 0; i < n; ++i) rows[i] = dealt[i];
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) f(c + i, rows[i]);
  }
}

// ---- half types: kLanes<float> of them at a time ----

typedef std::uint16_t Halves __attribute__((vector_size(kVectorBytes / 2)));
typedef std::uint32_t Bits __attribute__((vector_size(kVectorBytes)));

PYATTN_INLINE Halves load_halves(const std::uint16_t* p) {
  Halves v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
PYATTN_INLINE void store_halves(std::uint16_t* p, Halves v) { __builtin_memcpy(p, &v, sizeof v); }

PYATTN_INLINE Vec<float> from_bfloat16(Halves h) { return (Vec<float>)(__builtin_convertvector(h, Bits) << 16); }

// Round to nearest even; NaN stays NaN (the rounding add could carry it into infinity).
PYATTN_INLINE Halves to_bfloat16(Vec<float> x) {
  const Bits bits = (Bits)x;
  const Bits rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  const Bits quiet = (bits >> 16) | 0x40;
  return __builtin_convertvector((Bits)(x == x) ? rounded : quiet, Halves);
}

PYATTN_INLINE Vec<float> from_float16(Halves h) {
#if defined(__AVX512F__)
  return (Vec<float>)_mm512_cvtph_ps((__m256i)h);
#elif defined(__F16C__)
  return (Vec<float>)_mm256_cvtph_ps((__m128i)h);
#else
  // Move the fields into float's places, then correct the exponent's bias by a multiplication, which
  // also normalises subnormals; infinity and NaN get the largest exponent.
  const Bits bits = __builtin_convertvector(h, Bits);
  const Bits magnitude = (bits & 0x7fff) << 13;
  const Bits scaled = (Bits)((Vec<float>)magnitude * 0x1p112f);
  const Bits special = (Bits)(magnitude >= (Bits{} + 0x0f800000)) & 0x7f800000;
  return (Vec<float>)(scaled | special | (bits & 0x8000) << 16);
#endif
}

PYATTN_INLINE Halves to_float16(Vec<float> x) {
#if defined(__AVX512F__)
  return (Halves)_mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__F16C__)
  return (Halves)_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
  const Bits bits = (Bits)x, sign = (bits >> 16) & 0x8000, magnitude = bits & 0x7fffffff;
  // Normal results: round to nearest even at bit 13. Subnormal ones: adding 0.5 lets the adder round.
  const Bits normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  const Bits subnormal = (Bits)((Vec<float>)magnitude + 0.5f) - 0x3f000000;
  const Bits special = (Bits)(magnitude > (Bits{} + 0x7f800000) ? Bits{} + 0x7e00 : Bits{} + 0x7c00);
  Bits result = (Bits)(magnitude < (Bits{} + 0x38800000)) ? subnormal : normal;
  result = (Bits)(magnitude >= (Bits{} + 0x477ff000)) ? special : result;  // 65520 and more round to infinity
  return __builtin_convertvector(result | sign, Halves);
#endif
}

#if defined(__AVX512BF16__)
#define PYATTN_PAIRS 1
// Two vectors of float as one of pairs: lane i holds (low[i], high[i]), rounded to nearest even.
PYATTN_INLINE Bits to_pairs(Vec<float> low, Vec<float> high) {
  typedef std::uint16_t Words __attribute__((vector_size(64)));
  Words order;
  for (int i = 0; i < 16; ++i) {
    order[2 * i] = std::uint16_t(i);
    order[2 * i + 1] = std::uint16_t(16 + i);
  }
  return (Bits)_mm512_permutexvar_epi16((__m512i)order, (__m512i)_mm512_cvtne2ps_pbh((__m512)high, (__m512)low));
}

struct SideBySide { Bits low, high; };
// The halves of two vectors side by side: pair i is (a[i], b[i]).
PYATTN_INLINE SideBySide side_by_side(Bits a, Bits b) {
  typedef std::uint16_t Words __attribute__((vector_size(64)));
  Words low, high;
  for (int i = 0; i < 16; ++i) {
    low[2 * i] = std::uint16_t(i);
    low[2 * i + 1] = std::uint16_t(32 + i);
    high[2 * i] = std::uint16_t(16 + i);
    high[2 * i + 1] = std::uint16_t(48 + i);
  }
  return {(Bits)_mm512_permutex2var_epi16((__m512i)a, (__m512i)low, (__m512i)b),
          (Bits)_mm512_permutex2var_epi16((__m512i)a, (__m512i)high, (__m512i)b)};
}

// acc + a.even · b.even + a.odd · b.odd, each 32-bit lane holding a pair of bfloat16.
PYATTN_INLINE Vec<float> dot_pairs(Vec<float> acc, Bits a, Bits b) {
  return (Vec<float>)_mm512_dpbf16_ps((__m512)acc, (__m512bh)a, (__m512bh)b);
}
#else
#define PYATTN_PAIRS 0
#endif

}  // namespace
}  // namespace pyattn
