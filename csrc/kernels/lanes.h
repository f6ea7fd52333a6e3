// Blocked attention with the queries in lanes (FlashAttention's recurrence; Dao et al., 2022).
//
//     pack      queries[d][q] = scale · Q[q][d]                    once
//     scores    scores[k][q] = Σ_d K[k][d] · queries[d][q]         per block of keys
//     softmax   running maximum and sum, one per lane
//     output    sums[d][q] = shrink[q] · sums[d][q] + Σ_k V[k][d] · scores[k][q]
//     finish    O[q][d] = sums[d][q] / sum[q]                      once
//
// A query is a lane: what it gets cannot depend on its neighbours, nor on how many there are.
#pragma once

#include "mask.h"
#include "products.h"
#include "softmax.h"

namespace pyattn {
namespace {

// The blocks of keys of a task, with what its mask shows of each.
template <class F> PYATTN_INLINE void for_each_block(const BlockTask& task, F&& f) {
  for (std::int64_t k = task.first_key, b = 0; k < task.last_key; k += kKeyBlock, ++b) {
    const std::int64_t n = task.last_key - k < kKeyBlock ? task.last_key - k : kKeyBlock;
    f(k, n, task.visible ? task.visible[b] : Visible::kAll);
  }
}

template <class Products, int Vectors, Base base> struct LaneAttention {
  using T = typename Products::Sum;
  using Unit = typename Products::Unit;
  static constexpr int kL = kLanes<T>;
  static constexpr int kQ = Vectors * kL;

  const BlockTask& task;
  LaneBuffers<T, Vectors> buffers;
  LaneMask<T, Vectors> mask;
  Products products;
  OnlineSoftmax<T, Vectors> softmax;
  IntVec<T> seen[Vectors];  // has the lane a key to attend? Exact in careful runs, else by the interval alone
  T unit;                   // scores are in multiples of this logarithm: ln 2 for base 2

  LaneAttention(const BlockTask& t, Carver& kept, Carver passing)
      : task(t),
        buffers(kept, passing, t.width, t.value_width),
        mask(t, passing),
        products{t, buffers, T(t.scale / (base == Base::kTwo ? double(kLn2<T>) : 1.0))},
        unit(base == Base::kTwo ? kLn2<T> : T(1)) {
    *buffers.keys_of = *buffers.values_of = -1;
    clear(buffers.sums, padded<T>(t.value_width) * kQ);
    if (t.careful) clear(buffers.special, padded<T>(t.value_width) * kQ);
    for (int j = 0; j < Vectors; ++j) start_lanes(j);
    pack_queries();
  }

  static void* operator new(std::size_t, void* at) { return at; }
  static void carve(Carver& kept, Carver& passing, std::int64_t width, std::int64_t value_width) {
    LaneBuffers<T, Vectors>(kept, passing, width, value_width);
    passing.at += LaneMask<T, Vectors>::kBytes;
  }

  // What these lanes see of a block of which the whole task sees `visible`.
  Visible sees(std::int64_t k, std::int64_t n, Visible visible) const {
    if (!task.structured || visible == Visible::kAll) return visible;
    const Visible shown = mask.interval_shows(k, n);
    return shown == Visible::kAll && task.keeps ? visible : shown;
  }

  void take(std::int64_t k, std::int64_t n, Visible visible) {
    if (visible == Visible::kNone) return;
    const T factor = score(k, n, visible);
    softmax.template absorb<base, Products::kWeights>(
        buffers.scores, n, factor,
        [this](std::int64_t i, int j, Vec<T> weight, Vec<T> next) { products.keep(i, j, weight, next); });
    accumulate(k, n);
  }

  // Has nothing that is masked leaked, and has every row seen something? Else only a careful run can tell.
  bool is_clean() {
    if (task.careful || (!task.structured && !task.keeps && !task.biases)) return true;
    IntVec<T> doubtful = {};
    for (int j = 0; j < Vectors; ++j) {
      if (task.keeps || task.biases) doubtful |= seen[j] & (softmax.sum[j] == T(0));
      for (std::int64_t d = 0; d < task.value_width; ++d) {
        const Vec<T> x = load<T>(buffers.sums + d * kQ + j * kL);
        doubtful |= (x - x) != T(0);
      }
    }
    return !any<T>(doubtful);
  }

  void write() {
    if (task.partial.sums) finish_partial();
    else finish();
    if (task.weights.data) write_weights();
  }

 private:
  // A sink is a key that has been seen already, with a value of zero.
  void start_lanes(int j) {
    for (int i = 0; i < kL; ++i) {
      const int q = j * kL + i;
      const T sink = task.sinks ? T(task.sinks[mask.head[q]]) / unit : -kInf<T>;
      softmax.max[j][i] = sink;
      softmax.sum[j][i] = sink == -kInf<T> ? T(0) : T(1);
      seen[j][i] = !task.careful && mask.first[q] < mask.last[q] ? -1 : 0;
    }
  }

  void pack_queries() {
    for (int j = 0; j < Vectors; ++j) {
      clear(buffers.rows, kL * padded<T>(task.width));
      for (int i = 0; i < kL && j * kL + i < task.rows; ++i) {
        const int q = j * kL + i;
        products.fetch_query(
            task.query.data + mask.head[q] * task.query_head_stride + mask.query[q] * task.query.row_stride, i);
      }
      products.pack_queries(j);
    }
  }

  // Returns by what the scores are still to be multiplied.
  PYATTN_INLINE T score(std::int64_t k, std::int64_t n, Visible visible) {
    const bool as_they_are = visible == Visible::kAll && base == Base::kTwo && !task.careful;
    const T factor = products.score(k, n, as_they_are);
    mask.apply(buffers.scores, k, n, visible);
    return factor;
  }

  // NaN and inf among the values are weighed one by one, only where attended; the finite part keeps its bits.
  void accumulate(std::int64_t n_first, std::int64_t n) {
    if (task.careful)
      for (std::int64_t i = 0; i < n * Vectors; ++i) seen[i % Vectors] |= mask.attended[i];
    products.accumulate(n_first, n, softmax, [this](std::int64_t k, std::int64_t d, T x) { add_special(k, d, x); });
  }

  void add_special(std::int64_t k, std::int64_t d, T x) {
    for (int j = 0; j < Vectors; ++j) {
      T* at = buffers.special + d * kQ + j * kL;
      const Vec<T> part = load<T>(buffers.scores + k * kQ + j * kL) * x;
      store<T>(at, load<T>(at) + (mask.attended[k * Vectors + j] ? part : Vec<T>{}));
    }
  }

  PYATTN_INLINE void add_special_back() {
    if (!task.careful) return;
    for (std::int64_t i = 0; i < task.value_width * kQ; ++i) buffers.sums[i] += buffers.special[i];
  }

  // 1/sum; a lane without a key has sums of zero, and stays so.
  PYATTN_INLINE Vec<T> factor_of(int j) {
    const Vec<T> sum = softmax.sum[j];
    const IntVec<T> nothing = ~seen[j] & (sum == T(0));
    return nothing ? Vec<T>{} : T(1) / sum;
  }

  void finish() {
    add_special_back();
    for (int j = 0; j < Vectors; ++j) {
      const std::int64_t width = padded<T>(task.value_width);
      lanes_to_rows<T>(buffers.sums + j * kL, kQ, width, factor_of(j), buffers.rows, width);
      for (int i = 0; i < kL && j * kL + i < task.rows; ++i) finish_row(j * kL + i, buffers.rows + i * width);
    }
  }

  void finish_row(int q, const T* row) {
    char* to = task.out.data + mask.head[q] * task.out_head_stride + mask.query[q] * task.out.row_stride;
    store_row<T>(row, task.out.dtype, to, task.out.column_stride, task.value_width);
    if (!task.lse) return;
    const int j = q / kL, i = q % kL;
    const T sum = softmax.sum[j][i];
    const T lse = sum == T(0) && !seen[j][i] ? -kInf<T> : softmax.max[j][i] * unit + log_of<T>(sum);
    __builtin_memcpy(task.lse + mask.head[q] * task.lse_head_stride + mask.query[q] * task.lse_row_stride, &lse,
                     sizeof lse);
  }

  // The state before the division.
  void finish_partial() {
    add_special_back();
    const PartialState& p = task.partial;
    const std::int64_t width = padded<T>(task.value_width);
    for (int j = 0; j < Vectors; ++j) {
      lanes_to_rows<T>(buffers.sums + j * kL, kQ, width, splat<T>(T(1)), buffers.rows, width);
      for (int i = 0; i < kL && j * kL + i < task.rows; ++i) {
        const int q = j * kL + i;
        const T sum = softmax.sum[j][i], max = softmax.max[j][i];
        __builtin_memcpy(static_cast<T*>(p.sums) + q * task.value_width, buffers.rows + i * width,
                         std::size_t(task.value_width) * sizeof(T));
        static_cast<T*>(p.max)[q] = max == -kInf<T> ? max : max * unit;
        static_cast<T*>(p.sum)[q] = partial_sum<T>(sum, max, seen[j][i]);
      }
    }
  }

  // The weights themselves, on request: the scores once more, now that maximum and sum are known.
  void write_weights() {
    for_each_block(task, [this](std::int64_t k, std::int64_t n, Visible visible) {
      if (visible == Visible::kNone) clear(buffers.scores, kKeyBlock * kQ);
      else weigh(k, n, visible);
      for (int j = 0; j < Vectors; ++j) {
        lanes_to_rows<T>(buffers.scores + j * kL, kQ, padded<T>(n), splat<T>(T(1)), buffers.rows, kKeyBlock);
        for (int i = 0; i < kL && j * kL + i < task.rows; ++i)
          write_weights_row(j * kL + i, k, n, buffers.rows + i * kKeyBlock);
      }
    });
  }

  void weigh(std::int64_t k, std::int64_t n, Visible visible) {
    products.score(k, n, false);
    mask.apply(buffers.scores, k, n, visible);
    for (int j = 0; j < Vectors; ++j) {
      const Vec<T> factor = factor_of(j);
      const Vec<T> floor = softmax.max[j] == -kInf<T> ? Vec<T>{} : softmax.max[j];
      for (std::int64_t i = 0; i < n; ++i) {
        T* at = buffers.scores + i * kQ + j * kL;
        store<T>(at, power_negative<T, base>(load<T>(at) - floor) * factor);
      }
    }
  }

  void write_weights_row(int q, std::int64_t k, std::int64_t n, const T* row) {
    const Matrix& w = task.weights;
    char* to = w.data + mask.head[q] * task.weights_head_stride + mask.query[q] * w.row_stride + k * w.column_stride;
    store_row<T>(row, w.dtype, to, w.column_stride, n);
  }
};

}  // namespace
}  // namespace pyattn
