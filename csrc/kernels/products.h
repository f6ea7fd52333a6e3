// The two products of attention over one block of keys, in the form that suits the storage type:
//     NumberProducts   K and V read as numbers of the arithmetic's type, converted block by block where they are not
//     PairProducts     bfloat16 read as pairs, where the processor multiplies those (vdpbf16ps)
#pragma once

#include "pack.h"
#include "scratch.h"
#include "softmax.h"
#include "tile.h"

namespace pyattn {
namespace {

// The buffers of one block of queries, one query per lane.
template <class T, int Vectors> struct LaneBuffers {
  static constexpr int kQ = Vectors * kLanes<T>;
  // Kept for the task:
  T* queries;  // [feature][lane]
  T* sums;     // [feature][lane]
  T* special;  // [feature][lane]: what NaN and inf among the values add
  T* hidden;   // [feature]: the weights of an additive score
  // For a block of keys, or passed on to other lanes with it:
  T* scores;  // [key][lane]; then weights
  T* pairs;   // [pair of keys][lane]: weights, where pairs are multiplied
  T* rows;    // kLanes rows of anything
  T* keys;    // a converted block
  T* values;
  std::int64_t* keys_of;  // the first key of the block that was put there, if others can use it; else −1
  std::int64_t* values_of;

  LaneBuffers(Carver& kept, Carver& passing, std::int64_t width, std::int64_t value_width) {
    const std::int64_t w = padded<T>(width), v = padded<T>(value_width);
    const std::int64_t widest = w > v ? w : v;
    queries = kept.take<T>(w * kQ);
    sums = kept.take<T>(v * kQ);
    special = kept.take<T>(v * kQ);
    hidden = kept.take<T>(w);
    scores = passing.take<T>(kKeyBlock * kQ);
    pairs = passing.take<T>(PYATTN_PAIRS ? kKeyBlock / 2 * kQ : 0);
    rows = passing.take<T>(kLanes<T> * (widest > kKeyBlock ? widest : kKeyBlock));
    keys = passing.take<T>(kKeyBlock * w);
    values = passing.take<T>(kKeyBlock * v);
    keys_of = passing.take<std::int64_t>(1);
    values_of = passing.take<std::int64_t>(1);
  }
};

// Rows of K or V that come from far away and have to be asked for; columns from `d` on, as many as are multiplied at once.
PYATTN_INLINE ComingRows coming_rows(const BlockTask& task, const Matrix& m, std::int64_t row, std::int64_t width,
                                     std::int64_t d) {
  const std::int64_t columns = width - d < kDepth ? width - d : kDepth;
  if (!task.cold || columns <= 0 || m.column_stride > 8) return {};
  return {m.data + row * m.row_stride + d * m.column_stride, m.row_stride, columns * m.column_stride};
}

// What the registers of products need to be set up; these need nothing.
struct NoUnit {};

template <class T, int Vectors> struct NumberProducts {
  using Sum = T;
  using Unit = NoUnit;
  static constexpr int kQ = Vectors * kLanes<T>;
  using What = Numbers<T>;
  static constexpr Weights kWeights = Weights::kExact;
  static constexpr bool kSharesWork = false;  // is something of a block of keys prepared for all groups of lanes?

  const BlockTask& task;
  LaneBuffers<T, Vectors>& buffers;
  T factor;  // of the scores; applied to the queries

  void fetch_query(const char* from, int lane) {
    fetch_row<T>(task.query.dtype, from, task.query.column_stride, task.width,
                 buffers.rows + lane * padded<T>(task.width));
  }
  void pack_queries(int j) {
    const std::int64_t width = padded<T>(task.width);
    rows_to_lanes<T>(buffers.rows, width, width, factor, buffers.queries + j * kLanes<T>, kQ);
  }

  // The scores; with `raw` they may lack a positive factor, which is returned.
  PYATTN_INLINE T score(std::int64_t k, std::int64_t n, bool) {
    multiply_keys(k, n);
    return T(1);
  }

  // Weights of keys k and k + 1, as the second product wants them.
  PYATTN_INLINE void keep(std::int64_t k, int j, Vec<T> weight, Vec<T> next) {
    T* at = buffers.scores + k * kQ + j * kLanes<T>;
    store<T>(at, weight);
    store<T>(at + kQ, next);
  }

  void multiply_keys(std::int64_t k, std::int64_t n) {
    const DenseRows<T> keys = rows_of(task.key, k, n, task.width, buffers.keys, buffers.keys_of);
    for (std::int64_t d = 0; d < task.width; d += kDepth) {
      const std::int64_t depth = task.width - d < kDepth ? task.width - d : kDepth;
      score_tiles<What, kTileRows<Vectors>, Vectors>(
          {keys.data + d, keys.stride * std::int64_t(sizeof(T)), buffers.queries + d * kQ, depth, n, buffers.scores,
           coming_rows(task, task.key, k + kTileRows<Vectors>, task.width, d),
           coming_rows(task, task.value, k, task.value_width, d)},
          0, T(1), d == 0);
    }
  }

  // `special(k, d, x)` gets the values that are not finite, when the run is careful; they count as 0 here.
  template <class F>
  void accumulate(std::int64_t k, std::int64_t n, const OnlineSoftmax<T, Vectors>& softmax, F&& special) {
    DenseRows<T> values = rows_of(task.value, k, n, task.value_width, buffers.values, buffers.values_of);
    if (task.careful) values = without_special(values, n, special);
    sum_tiles<What, kTileRows<Vectors>, Vectors>(
        {values.data, values.stride * std::int64_t(sizeof(T)), buffers.scores, n, task.value_width, buffers.sums}, 0,
        softmax.shrink);
  }

 private:
  // A block of rows as it lies, or converted: once for all groups of lanes, unless it is to be changed.
  DenseRows<T> rows_of(const Matrix& m, std::int64_t k, std::int64_t n, std::int64_t width, T* space,
                       std::int64_t* there) {
    if (!is_dense<T>(m) && *there == k && !task.careful) return {space, padded<T>(width)};
    *there = k;
    return dense_rows<T>(m, k, n, width, space);
  }

  template <class F> DenseRows<T> without_special(DenseRows<T> values, std::int64_t n, F&& special) {
    const std::int64_t stride = padded<T>(task.value_width);
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t d = 0; d < task.value_width; ++d) {
        const T x = values.data[k * values.stride + d];
        const bool finite = x - x == 0;
        buffers.values[k * stride + d] = finite ? x : T(0);
        if (!finite) special(k, d, x);
      }
    return {buffers.values, stride};
  }
};

#if PYATTN_PAIRS
template <int Vectors> struct PairProducts {
  using Sum = float;
  using Unit = NoUnit;
  static constexpr int kL = kLanes<float>;
  static constexpr int kQ = Vectors * kL;
  using Pair = std::uint32_t;
  static constexpr Weights kWeights = Weights::kRounded;
  static constexpr bool kSharesWork = false;

  const BlockTask& task;
  LaneBuffers<float, Vectors>& buffers;
  float factor;  // of the scores; rounding it into the queries would cost accuracy

  std::int64_t pairs() const { return (task.width + 1) / 2; }
  Pair* query_pairs() const { return reinterpret_cast<Pair*>(buffers.queries); }

  void fetch_query(const char* from, int lane) {
    float* row = buffers.rows + lane * padded<float>(task.width);
    fetch_bits(from, task.query.column_stride, task.width, reinterpret_cast<std::uint16_t*>(row));
  }
  void pack_queries(int j) { pack_pairs(buffers.queries + j * kL, kQ); }

  PYATTN_INLINE float score(std::int64_t k, std::int64_t n, bool) {
    multiply_keys(k, n);
    return 1.0f;
  }

  PYATTN_INLINE void keep(std::int64_t k, int j, Vec<float> weight, Vec<float> next) {
    store<float>(buffers.pairs + k / 2 * kQ + j * kL, (Vec<float>)to_pairs(weight, next));
    if (task.careful) keep_numbers(k, j, weight, next);
  }

  void multiply_keys(std::int64_t k, std::int64_t n) {
    const char* keys = task.key.data + k * task.key.row_stride;
    std::int64_t stride = task.key.row_stride;
    if (task.key.column_stride != 2 || task.width % 2) {
      auto* space = reinterpret_cast<std::uint16_t*>(buffers.keys);
      for (std::int64_t i = 0; i < n; ++i)
        fetch_bits(keys + i * stride, task.key.column_stride, task.width, space + i * 2 * pairs());
      keys = reinterpret_cast<const char*>(space);
      stride = 4 * pairs();
    }
    for (std::int64_t d = 0; d < pairs(); d += kDepth) {
      const std::int64_t depth = pairs() - d < kDepth ? pairs() - d : kDepth;
      score_tiles<Pairs, kTileRows<Vectors>, Vectors>(
          {reinterpret_cast<const Pair*>(keys) + d, stride, query_pairs() + d * kQ, depth, n, buffers.scores,
           coming_rows(task, task.key, k + kTileRows<Vectors>, task.width, 2 * d),
           coming_rows(task, task.value, k, task.value_width, 2 * d)},
          0, factor, d == 0);
    }
  }

  template <class F>
  void accumulate(std::int64_t k, std::int64_t n, const OnlineSoftmax<float, Vectors>& softmax, F&& special) {
    if (task.careful || *buffers.values_of != k)
      for (std::int64_t i = 0; i < n; i += 2) pair_values(k, i, n, special);
    *buffers.values_of = k;
    const auto* values = reinterpret_cast<const Pair*>(buffers.values);
    sum_tiles<Pairs, kTileRows<Vectors>, Vectors>(
        {values, padded<float>(task.value_width) * 4, reinterpret_cast<const Pair*>(buffers.pairs), (n + 1) / 2,
         task.value_width, buffers.sums},
        0, softmax.shrink);
  }

 protected:
  // A pair moves as one lane of bits.
  void pack_pairs(float* to, std::int64_t lane_stride) {
    const std::int64_t stride = padded<float>(task.width);
    for (std::int64_t d = 0; d < pairs(); d += kL) {
      Vec<float> square[kL];
#pragma GCC unroll 16
      for (int i = 0; i < kL; ++i) square[i] = load<float>(buffers.rows + i * stride + d);
      transpose<float>(square);
#pragma GCC unroll 16
      for (int i = 0; i < kL; ++i) store<float>(to + (d + i) * lane_stride, square[i]);
    }
  }

  PYATTN_INLINE void keep_numbers(std::int64_t k, int j, Vec<float> weight, Vec<float> next) {
    float* at = buffers.scores + k * kQ + j * kL;
    store<float>(at, weight);
    store<float>(at + kQ, next);
  }

  // Row i and the one after it, side by side: pair d holds both their features d.
  template <class F> void pair_values(std::int64_t k, std::int64_t i, std::int64_t n, F&& special) {
    const std::int64_t width = padded<float>(task.value_width);
    auto* low = reinterpret_cast<std::uint16_t*>(buffers.rows);
    std::uint16_t* high = low + width;
    const char* row = task.value.data + (k + i) * task.value.row_stride;
    const bool in_place = task.value.column_stride == 2 && task.value_width % kL == 0 && i + 1 < n && !task.careful;
    if (in_place) {
      low = const_cast<std::uint16_t*>(reinterpret_cast<const std::uint16_t*>(row));
      high = const_cast<std::uint16_t*>(reinterpret_cast<const std::uint16_t*>(row + task.value.row_stride));
    } else {
      fetch_bits(row, task.value.column_stride, task.value_width, low);
      if (i + 1 < n) fetch_bits(row + task.value.row_stride, task.value.column_stride, task.value_width, high);
      else clear(high, width);
      if (task.careful) {
        without_special(low, i, special);
        without_special(high, i + 1, special);
      }
    }
    float* to = buffers.values + i / 2 * width;
    for (std::int64_t d = 0; d < width; d += kL) {
      const Bits pair = __builtin_convertvector(load_halves(low + d), Bits) |
                        __builtin_convertvector(load_halves(high + d), Bits) << 16;
      store<float>(to + d, (Vec<float>)pair);
    }
  }

  template <class F> void without_special(std::uint16_t* row, std::int64_t k, F&& special) {
    for (std::int64_t d = 0; d < task.value_width; ++d) {
      if ((row[d] & 0x7f80) != 0x7f80) continue;
      Halves one = {};
      one[0] = row[d];
      special(k, d, from_bfloat16(one)[0]);
      row[d] = 0;
    }
  }
};
#endif

}  // namespace
}  // namespace pyattn
