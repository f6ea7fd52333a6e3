// The two products of attention with the features in lanes, for a few rows over one block of keys:
//     NumberRowProducts   K and V as numbers of the arithmetic's type, converted a few rows at a time where they are not
//     PairRowProducts     bfloat16 as pairs, where the processor multiplies those (vdpbf16ps)
//
// Rows of K and V are read strictly one after the other: unrolled over rows, the loads run ahead in several rows at
// once, and memory answers at half its speed.
#pragma once

#include "pack.h"
#include "scratch.h"

namespace pyattn {
namespace {

constexpr int kValueGroup = 16;  // keys whose values stay in the first-level cache for all rows

// Rows at a time, and vectors of features in registers for them: what is loaded of K and V serves all of the rows.
constexpr int kMostRows = kAccumulators >= 24 ? 4 : 2;
constexpr int kStrip = kAccumulators >= 24 ? 8 : 4;

// f(Count<n>{}, r) for all rows: kMostRows at a time, then fewer.
template <int N> struct Count { static constexpr int n = N; };
template <int Rows = kMostRows, class F> PYATTN_INLINE void by_rows(std::int64_t rows, F&& f, std::int64_t r = 0) {
  for (; r + Rows <= rows; r += Rows) f(Count<Rows>{}, r);
  if constexpr (Rows > 1) by_rows<Rows / 2>(rows, f, r);
}

template <class T> struct RowBuffers {
  T *queries, *scores, *sums, *special, *line, *keys, *values;
  T* hidden;                // (width,): the weights of an additive score
  unsigned char* attended;  // rows × kKeyBlock
  T *max, *sum;
  bool* seen;
  std::int64_t width, value_width;  // with room for whole vectors of anything

  static std::int64_t roomy(std::int64_t n) { return (n + 2 * kLanes<T> - 1) / (2 * kLanes<T>)*(2 * kLanes<T>); }

  RowBuffers(Carver& c, std::int64_t rows, std::int64_t w, std::int64_t v) : width(roomy(w)), value_width(roomy(v)) {
    queries = c.take<T>(rows * width);
    scores = c.take<T>(rows * kKeyBlock);
    sums = c.take<T>(rows * value_width);
    special = c.take<T>(rows * value_width);
    line = c.take<T>(value_width > kKeyBlock ? value_width : kKeyBlock);
    keys = c.take<T>(kLanes<T> * width);
    values = c.take<T>(kValueGroup * value_width);
    hidden = c.take<T>(width);
    attended = c.take<unsigned char>(rows * kKeyBlock);
    max = c.take<T>(rows);
    sum = c.take<T>(rows);
    seen = c.take<bool>(rows);
  }
  T* scores_of(std::int64_t r) const { return scores + r * kKeyBlock; }
  T* sums_of(std::int64_t r) const { return sums + r * value_width; }
};

// Products of Rows queries with kLanes keys, not yet added across lanes.
template <class T, int Rows> struct LaneSums {
  T memory[Rows * kLanes<T> * kLanes<T>] __attribute__((aligned(64)));

  // The products of all `keys` will be stored; those of the other lanes count as 0.
  explicit LaneSums(std::int64_t keys) {
    for (int u = 0; u < Rows && keys < kLanes<T>; ++u) clear(at(u, keys), (kLanes<T> - keys) * kLanes<T>);
  }
  PYATTN_INLINE T* at(int row, std::int64_t key) { return memory + (row * kLanes<T> + key) * kLanes<T>; }
  PYATTN_INLINE Vec<T> across(int row) {
    Vec<T> square[kLanes<T>];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes<T>; ++i) square[i] = load<T>(at(row, i));
    return sums_of_rows<T>(square);
  }
};

template <class T> struct NumberRowProducts {
  using Sum = T;
  static constexpr int kL = kLanes<T>;

  const BlockTask& task;
  RowBuffers<T>& buffers;

  void fetch_query(const char* from, std::int64_t r) {
    T* row = buffers.queries + r * buffers.width;
    fetch_row<T>(task.query.dtype, from, task.query.column_stride, task.width, row);
    for (std::int64_t d = 0; d < padded<T>(task.width); d += kL) store<T>(row + d, load<T>(row + d) * T(task.scale));
  }

  // kLanes keys at a time, and one sum across lanes for all of them.
  void score(std::int64_t first_key, std::int64_t keys) {
    for (std::int64_t k = 0; k < keys; k += kL) {
      const std::int64_t n = keys - k < kL ? keys - k : kL;
      const DenseRows<T> key = whole_rows(task.key, first_key + k, n, task.width, buffers.keys);
      by_rows(task.rows, [&](auto rows, std::int64_t r) { score_rows<rows.n>(r, key, k, n); });
    }
  }

  // `special(k, d, x)` gets the values that are not finite, when the run is careful; they count as 0 here.
  template <class F> void accumulate(std::int64_t first_key, std::int64_t keys, F&& special) {
    for (std::int64_t k = 0; k < keys; k += kValueGroup) {
      const std::int64_t n = keys - k < kValueGroup ? keys - k : kValueGroup;
      DenseRows<T> value = whole_rows(task.value, first_key + k, n, task.value_width, buffers.values);
      if (task.careful) value = without_special(value, k, n, special);
      by_rows<2>(task.rows, [&](auto rows, std::int64_t r) { add_values<rows.n, kStrip>(0, r, value, k, n); });
    }
  }

 protected:
  // Rows that can be read in whole vectors: in place, or a padded copy.
  static DenseRows<T> whole_rows(const Matrix& m, std::int64_t first, std::int64_t n, std::int64_t columns, T* space) {
    if (columns % kL == 0 && is_dense<T>(m)) return dense_rows<T>(m, first, n, columns, space);
    const char* row = m.data + first * m.row_stride;
    const std::int64_t stride = padded<T>(columns);
    const bool whole_halves = columns % kL == 0 && m.column_stride == 2;
    if (whole_halves && m.dtype == DType::kBFloat16) widen_rows<BFloat16>(row, m.row_stride, n, columns, space);
    else if (whole_halves && m.dtype == DType::kFloat16) widen_rows<Float16>(row, m.row_stride, n, columns, space);
    else if (is_turned<T>(m)) fetch_turned<T>(m, first, n, columns, space);
    else
      for (std::int64_t i = 0; i < n; ++i)
        fetch_row<T>(m.dtype, row + i * m.row_stride, m.column_stride, columns, space + i * stride);
    return {space, stride};
  }

 private:
  template <class S>
  static PYATTN_INLINE void widen_rows(const char* row, std::int64_t row_stride, std::int64_t n, std::int64_t columns,
                                       T* to) {
    for (std::int64_t i = 0; i < n; ++i, row += row_stride, to += columns)
      for (std::int64_t d = 0; d < columns; d += kL) store<T>(to + d, widen<T>(reinterpret_cast<const S*>(row) + d));
  }

  template <int Rows> PYATTN_INLINE void score_rows(std::int64_t r, DenseRows<T> key, std::int64_t k, std::int64_t n) {
    LaneSums<T, Rows> sums(n);
    multiply<Rows, kStrip>(0, r, key, n, sums);
#pragma GCC unroll 4
    for (int u = 0; u < Rows; ++u) store<T>(buffers.scores_of(r + u) + k, sums.across(u));
  }

  // sums[u][i] += query[r + u] · key[i] lane by lane; strips of Strip vectors, then of half as many, to the width's end.
  template <int Rows, int Strip>
  PYATTN_INLINE void multiply(std::int64_t d, std::int64_t r, DenseRows<T> key, std::int64_t n,
                              LaneSums<T, Rows>& sums) {
    for (; d + Strip * kL <= padded<T>(task.width); d += Strip * kL) {
      Vec<T> q[Rows][Strip];
#pragma GCC unroll 4
      for (int u = 0; u < Rows; ++u)
#pragma GCC unroll 8
        for (int c = 0; c < Strip; ++c) q[u][c] = load<T>(buffers.queries + (r + u) * buffers.width + d + c * kL);
      const T* row = key.data + d;
#pragma GCC unroll 1
      for (std::int64_t i = 0; i < n; ++i, row += key.stride) {
        Vec<T> sum[Rows];
#pragma GCC unroll 4
        for (int u = 0; u < Rows; ++u) sum[u] = d ? load<T>(sums.at(u, i)) : Vec<T>{};
#pragma GCC unroll 8
        for (int c = 0; c < Strip; ++c) {
          const Vec<T> x = in_register(load<T>(row + c * kL));
#pragma GCC unroll 4
          for (int u = 0; u < Rows; ++u) sum[u] += q[u][c] * x;
        }
#pragma GCC unroll 4
        for (int u = 0; u < Rows; ++u) store<T>(sums.at(u, i), sum[u]);
      }
    }
    if constexpr (Strip > 1) multiply<Rows, Strip / 2>(d, r, key, n, sums);
  }

  template <int Rows, int Strip>
  PYATTN_INLINE void add_values(std::int64_t d, std::int64_t r, DenseRows<T> value, std::int64_t k, std::int64_t n) {
    for (; d + Strip * kL <= padded<T>(task.value_width); d += Strip * kL) {
      Vec<T> sum[Rows][Strip] = {};
      const T* row = value.data + d;
#pragma GCC unroll 1
      for (std::int64_t i = 0; i < n; ++i, row += value.stride) {
        T weight[Rows];
#pragma GCC unroll 4
        for (int u = 0; u < Rows; ++u) weight[u] = buffers.scores_of(r + u)[k + i];
#pragma GCC unroll 8
        for (int c = 0; c < Strip; ++c) {
          const Vec<T> v = in_register(load<T>(row + c * kL));
#pragma GCC unroll 4
          for (int u = 0; u < Rows; ++u) sum[u][c] += v * weight[u];
        }
      }
#pragma GCC unroll 4
      for (int u = 0; u < Rows; ++u)
#pragma GCC unroll 8
        for (int c = 0; c < Strip; ++c) {
          T* at = buffers.sums_of(r + u) + d + c * kL;
          store<T>(at, load<T>(at) + sum[u][c]);
        }
    }
    if constexpr (Strip > 1) add_values<Rows, Strip / 2>(d, r, value, k, n);
  }

  template <class F> DenseRows<T> without_special(DenseRows<T> value, std::int64_t k, std::int64_t n, F&& special) {
    const std::int64_t stride = padded<T>(task.value_width);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t d = 0; d < stride; ++d) {
        const T x = value.data[i * value.stride + d];
        const bool finite = x - x == 0;
        buffers.values[i * stride + d] = finite ? x : T(0);
        if (!finite) special(k + i, d, x);
      }
    return {buffers.values, stride};
  }
};

#if PYATTN_PAIRS
struct PairRowProducts {
  using Sum = float;
  using Pair = std::uint32_t;
  static constexpr int kL = kLanes<float>;
  static constexpr int kHalves = 2 * kL;  // halves of a vector

  const BlockTask& task;
  RowBuffers<float>& buffers;

  // Rows of halves, in whole vectors.
  struct HalfRows {
    const char* data;
    std::int64_t stride;  // bytes
    PYATTN_INLINE Bits at(std::int64_t row, std::int64_t vector) const {
      return (Bits)load<float>(reinterpret_cast<const float*>(data + row * stride) + vector * kL);
    }
  };

  static std::int64_t vectors(std::int64_t width) { return (width + kHalves - 1) / kHalves; }

  void fetch_query(const char* from, std::int64_t r) {
    auto* row = reinterpret_cast<std::uint16_t*>(clear(buffers.queries + r * buffers.width, buffers.width));
    fetch_bits(from, task.query.column_stride, task.width, row);
  }

  void score(std::int64_t first_key, std::int64_t keys) {
    for (std::int64_t k = 0; k < keys; k += kL) {
      const std::int64_t n = keys - k < kL ? keys - k : kL;
      const HalfRows key = whole_rows(task.key, first_key + k, n, task.width, buffers.keys);
      by_rows(task.rows, [&](auto rows, std::int64_t r) { score_rows<rows.n>(r, key, k, n); });
    }
  }

  template <class F> void accumulate(std::int64_t first_key, std::int64_t keys, F&& special) {
    for (std::int64_t k = 0; k < keys; k += kValueGroup) {
      const std::int64_t n = keys - k < kValueGroup ? keys - k : kValueGroup;
      const HalfRows value = value_rows(first_key, k, n, special);
      by_rows(task.rows, [&](auto rows, std::int64_t r) { add_values<rows.n, kStrip / 2>(0, r, value, k, n); });
    }
  }

 private:
  static HalfRows whole_rows(const Matrix& m, std::int64_t first, std::int64_t n, std::int64_t columns, float* space) {
    const char* row = m.data + first * m.row_stride;
    if (columns % kHalves == 0 && m.column_stride == 2) return {row, m.row_stride};
    return copied_rows(row, m, n, columns, space);
  }

  static HalfRows copied_rows(const char* row, const Matrix& m, std::int64_t n, std::int64_t columns, float* space) {
    const std::int64_t stride = vectors(columns) * kL;
    for (std::int64_t i = 0; i < n; ++i)
      fetch_bits(row + i * m.row_stride, m.column_stride, columns,
                 reinterpret_cast<std::uint16_t*>(clear(space + i * stride, stride)));
    return {reinterpret_cast<const char*>(space), stride * 4};
  }

  template <int Rows> PYATTN_INLINE void score_rows(std::int64_t r, HalfRows key, std::int64_t k, std::int64_t n) {
    LaneSums<float, Rows> sums(n);
    multiply<Rows, kStrip>(0, r, key, n, sums);
#pragma GCC unroll 4
    for (int u = 0; u < Rows; ++u) store<float>(buffers.scores_of(r + u) + k, sums.across(u) * float(task.scale));
  }

  template <int Rows, int Strip>
  PYATTN_INLINE void multiply(std::int64_t v, std::int64_t r, HalfRows key, std::int64_t n,
                              LaneSums<float, Rows>& sums) {
    const HalfRows query = {reinterpret_cast<const char*>(buffers.queries + r * buffers.width), buffers.width * 4};
    for (; v + Strip <= vectors(task.width); v += Strip) {
      Bits q[Rows][Strip];
#pragma GCC unroll 4
      for (int u = 0; u < Rows; ++u)
#pragma GCC unroll 8
        for (int c = 0; c < Strip; ++c) q[u][c] = query.at(u, v + c);
#pragma GCC unroll 1
      for (std::int64_t i = 0; i < n; ++i) {
        Vec<float> sum[Rows];
#pragma GCC unroll 4
        for (int u = 0; u < Rows; ++u) sum[u] = v ? load<float>(sums.at(u, i)) : Vec<float>{};
#pragma GCC unroll 8
        for (int c = 0; c < Strip; ++c) {
          const Bits x = in_register(key.at(i, v + c));
#pragma GCC unroll 4
          for (int u = 0; u < Rows; ++u) sum[u] = dot_pairs(sum[u], q[u][c], x);
        }
#pragma GCC unroll 4
        for (int u = 0; u < Rows; ++u) store<float>(sums.at(u, i), sum[u]);
      }
    }
    if constexpr (Strip > 1) multiply<Rows, Strip / 2>(v, r, key, n, sums);
  }

  // Two keys at a time: their values side by side as pairs, times the pair of their weights.
  template <int Rows, int Strip>
  PYATTN_INLINE void add_values(std::int64_t v, std::int64_t r, HalfRows value, std::int64_t k, std::int64_t n) {
    for (; v + Strip <= vectors(task.value_width); v += Strip) {
      Vec<float> sum[Rows][2 * Strip] = {};
#pragma GCC unroll 1
      for (std::int64_t i = 0; i < n; i += 2) {
        Bits weight[Rows];
#pragma GCC unroll 4
        for (int u = 0; u < Rows; ++u) weight[u] = weights_of(buffers.scores_of(r + u) + k + i, i + 1 < n);
#pragma GCC unroll 4
        for (int c = 0; c < Strip; ++c) {
          // No value beside the last of an odd number: even a weight of 0 would make NaN of an infinite one.
          const SideBySide both = side_by_side(value.at(i, v + c), i + 1 < n ? value.at(i + 1, v + c) : Bits{});
#pragma GCC unroll 4
          for (int u = 0; u < Rows; ++u) {
            sum[u][2 * c] = dot_pairs(sum[u][2 * c], weight[u], both.low);
            sum[u][2 * c + 1] = dot_pairs(sum[u][2 * c + 1], weight[u], both.high);
          }
        }
      }
#pragma GCC unroll 4
      for (int u = 0; u < Rows; ++u)
#pragma GCC unroll 8
        for (int c = 0; c < 2 * Strip; ++c) {
          float* at = buffers.sums_of(r + u) + (2 * v + c) * kL;
          store<float>(at, load<float>(at) + sum[u][c]);
        }
    }
    if constexpr (Strip > 1) add_values<Rows, Strip / 2>(v, r, value, k, n);
  }

  // (weight[0], weight[1]) in every lane; the second counts only where there is one.
  static PYATTN_INLINE Bits weights_of(const float* weight, bool second) {
    return to_pairs(splat<float>(weight[0]), splat<float>(second ? weight[1] : 0.0f));
  }

  template <class F> HalfRows value_rows(std::int64_t first_key, std::int64_t k, std::int64_t n, F&& special) {
    const Matrix& m = task.value;
    if (!task.careful) return whole_rows(m, first_key + k, n, task.value_width, buffers.values);
    const HalfRows copy = copied_rows(m.data + (first_key + k) * m.row_stride, m, n, task.value_width, buffers.values);
    for (std::int64_t i = 0; i < n; ++i) {
      auto* row = reinterpret_cast<std::uint16_t*>(const_cast<char*>(copy.data) + i * copy.stride);
      for (std::int64_t d = 0; d < task.value_width; ++d) {
        if ((row[d] & 0x7f80) != 0x7f80) continue;
        Halves one = {};
        one[0] = row[d];
        special(k + i, d, from_bfloat16(one)[0]);
        row[d] = 0;
      }
    }
    return copy;
  }
};
#endif

}  // namespace
}  // namespace pyattn
