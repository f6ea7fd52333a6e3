// Moving rows between arrays as the caller has them (any dtype, any strides) and the form kernels work on:
// rows of unit stride, in the type of the arithmetic, padded with zeros to whole vectors.
#pragma once

#include "simd.h"

namespace pyattn {
namespace {

struct Float16 { std::uint16_t bits; };
struct BFloat16 { std::uint16_t bits; };

PYATTN_INLINE Vec<float> widen_half(Float16, Halves h) { return from_float16(h); }
PYATTN_INLINE Vec<float> widen_half(BFloat16, Halves h) { return from_bfloat16(h); }
PYATTN_INLINE Halves narrow_half(Float16, Vec<float> x) { return to_float16(x); }
PYATTN_INLINE Halves narrow_half(BFloat16, Vec<float> x) { return to_bfloat16(x); }

// kLanes<T> elements of storage type S as a vector of T, and back.
template <class T, class S> PYATTN_INLINE Vec<T> widen(const S* p) {
  if constexpr (sizeof(S) == 2 && sizeof(T) == 4) {
    return widen_half(S{}, load_halves(reinterpret_cast<const std::uint16_t*>(p)));
  } else if constexpr (sizeof(S) == 2) {
    Vec<T> v;
    for (int i = 0; i < kLanes<T>; ++i) {
      Halves one = {};
      one[0] = p[i].bits;
      v[i] = T(widen_half(S{}, one)[0]);
    }
    return v;
  } else {
    typedef S Stored __attribute__((vector_size(sizeof(S) * kLanes<T>)));
    Stored v;
    __builtin_memcpy(&v, p, sizeof v);
    if constexpr (sizeof(S) > sizeof(T)) {  // a bias: what is finite stays so, because −inf would mask
      const Stored inf = Stored{} + S(__builtin_inf()), most = Stored{} + S(__FLT_MAX__);
      v = ((v > most) & (v < inf)) ? most : ((v < -most) & (v > -inf)) ? -most : v;
    }
    return __builtin_convertvector(v, Vec<T>);
  }
}

template <class T, class S> PYATTN_INLINE void narrow(S* p, Vec<T> x) {
  if constexpr (sizeof(S) == 2 && sizeof(T) == 4) {
    store_halves(reinterpret_cast<std::uint16_t*>(p), narrow_half(S{}, x));
  } else if constexpr (sizeof(S) == sizeof(T)) {
    store<T>(p, x);
  } else {
    __builtin_trap();  // results are never stored in a type of another width
  }
}

// The first n lanes from memory, zeros beyond; no more than those are read.
template <class T> PYATTN_INLINE Vec<T> load_first(const T* p, std::int64_t n) {
  if (n >= kLanes<T>) return load<T>(p);
  T some[kLanes<T>] = {};
  for (std::int64_t i = 0; i < n; ++i) __builtin_memcpy(&some[i], p + i, sizeof(T));
  return load<T>(some);
}

template <class T> PYATTN_INLINE std::int64_t padded(std::int64_t n) {
  return (n + kLanes<T> - 1) / kLanes<T> * kLanes<T>;
}

template <class T, class S>
void fetch_row_of(const char* from, std::int64_t stride, std::int64_t n, T* to) {
  const bool unit = stride == std::int64_t(sizeof(S));
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    const std::int64_t left = n - i < kLanes<T> ? n - i : kLanes<T>;
    if (unit && left == kLanes<T>) {
      store<T>(to + i, widen<T>(reinterpret_cast<const S*>(from + i * stride)));
      continue;
    }
    S some[kLanes<T>] = {};
    for (std::int64_t j = 0; j < left; ++j) __builtin_memcpy(&some[j], from + (i + j) * stride, sizeof(S));
    store<T>(to + i, widen<T>(some));
  }
}

template <class T, class S>
void store_row_of(const T* from, char* to, std::int64_t stride, std::int64_t n) {
  const bool unit = stride == std::int64_t(sizeof(S));
  for (std::int64_t i = 0; i < n; i += kLanes<T>) {
    const std::int64_t left = n - i < kLanes<T> ? n - i : kLanes<T>;
    if (unit && left == kLanes<T>) {
      narrow<T>(reinterpret_cast<S*>(to + i * stride), load<T>(from + i));
      continue;
    }
    S some[kLanes<T>];
    narrow<T>(some, load<T>(from + i));
    for (std::int64_t j = 0; j < left; ++j) __builtin_memcpy(to + (i + j) * stride, &some[j], sizeof(S));
  }
}

// n elements, `stride` bytes apart, to `to`, which has room for whole vectors; the rest is zeros.
template <class T>
inline void fetch_row(DType dtype, const char* from, std::int64_t stride, std::int64_t n, T* to) {
  switch (dtype) {
    case DType::kFloat32: return fetch_row_of<T, float>(from, stride, n, to);
    case DType::kFloat64: return fetch_row_of<T, double>(from, stride, n, to);
    case DType::kFloat16: return fetch_row_of<T, Float16>(from, stride, n, to);
    case DType::kBFloat16: return fetch_row_of<T, BFloat16>(from, stride, n, to);
  }
}

// The other way; `from` can be read in whole vectors.
template <class T>
inline void store_row(const T* from, DType dtype, char* to, std::int64_t stride, std::int64_t n) {
  switch (dtype) {
    case DType::kFloat32: return store_row_of<T, float>(from, to, stride, n);
    case DType::kFloat64: return store_row_of<T, double>(from, to, stride, n);
    case DType::kFloat16: return store_row_of<T, Float16>(from, to, stride, n);
    case DType::kBFloat16: return store_row_of<T, BFloat16>(from, to, stride, n);
  }
}

template <class T> constexpr DType kDTypeOf = sizeof(T) == 4 ? DType::kFloat32 : DType::kFloat64;

// Rows of unit stride in the arithmetic's type: in place if the array is so, else a copy of the block.
template <class T> struct DenseRows {
  const T* data;
  std::int64_t stride;  // elements
};

template <class T>
inline bool is_dense(const Matrix& m) {
  return m.dtype == kDTypeOf<T> && m.column_stride == std::int64_t(sizeof(T)) &&
         m.row_stride % std::int64_t(sizeof(T)) == 0 && reinterpret_cast<std::uintptr_t>(m.data) % sizeof(T) == 0;
}

// Rows of an array that lies column by column, as keys stored (width, keys) do: squares of it are turned over.
template <class T> inline bool is_turned(const Matrix& m) {
  return m.dtype == kDTypeOf<T> && m.row_stride == std::int64_t(sizeof(T));
}
template <class T>
inline void fetch_turned(const Matrix& m, std::int64_t first, std::int64_t n, std::int64_t width, T* to) {
  constexpr std::int64_t kL = kLanes<T>;
  const std::int64_t stride = padded<T>(width);
  for (std::int64_t c = 0; c < width; c += kL)
    for (std::int64_t r = 0; r < n; r += kL) {
      Vec<T> square[kL];
      for (std::int64_t i = 0; i < kL; ++i) {
        const char* from = m.data + (c + i) * m.column_stride + (first + r) * std::int64_t(sizeof(T));
        square[i] = c + i < width ? load_first<T>(reinterpret_cast<const T*>(from), n - r) : Vec<T>{};
      }
      transpose<T>(square);
      for (std::int64_t i = 0; i < kL && r + i < n; ++i) store<T>(to + (r + i) * stride + c, square[i]);
    }
}

// Tells rows [first, first + n) of `m`; uses `space` (n × padded width) where they must be converted.
template <class T>
inline DenseRows<T> dense_rows(const Matrix& m, std::int64_t first, std::int64_t n, std::int64_t width, T* space) {
  const char* row = m.data + first * m.row_stride;
  if (is_dense<T>(m)) return {reinterpret_cast<const T*>(row), m.row_stride / std::int64_t(sizeof(T))};
  const std::int64_t stride = padded<T>(width);
  if (is_turned<T>(m)) fetch_turned<T>(m, first, n, width, space);
  else
    for (std::int64_t i = 0; i < n; ++i)
      fetch_row<T>(m.dtype, row + i * m.row_stride, m.column_stride, width, space + i * stride);
  return {space, stride};
}

// The bits of a row of halves as they are; `to` has room for, and gets zeros up to, an even number.
inline void fetch_bits(const char* from, std::int64_t stride, std::int64_t n, std::uint16_t* to) {
  if (stride == 2) __builtin_memcpy(to, from, std::size_t(n) * 2);
  else
    for (std::int64_t i = 0; i < n; ++i) __builtin_memcpy(to + i, from + i * stride, 2);
  if (n % 2) to[n] = 0;
}

// A square of rows to lanes: lanes[c][q] = factor · rows[q][c] for columns [0, padded width).
template <class T>
inline void rows_to_lanes(const T* rows, std::int64_t row_stride, std::int64_t columns, T factor, T* lanes,
                          std::int64_t lane_stride) {
  for (std::int64_t c = 0; c < columns; c += kLanes<T>)
    turn_square<T>(rows + c, row_stride, [=](int i, Vec<T> lane) __attribute__((always_inline)) {
      store<T>(lanes + (c + i) * lane_stride, lane * factor);
    });
}

// And back: rows[q][c] = factor[q] · lanes[c][q].
template <class T>
inline void lanes_to_rows(const T* lanes, std::int64_t lane_stride, std::int64_t columns, Vec<T> factor, T* rows,
                          std::int64_t row_stride) {
  for (std::int64_t c = 0; c < columns; c += kLanes<T>)
    turn_square<T>(lanes + c * lane_stride, lane_stride, [=](int i, Vec<T> row) __attribute__((always_inline)) {
      store<T>(rows + i * row_stride + c, row * factor[i]);
    });
}

}  // namespace
}  // namespace pyattn
