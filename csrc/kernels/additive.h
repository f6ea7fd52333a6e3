// Additive scores (Bahdanau et al., 2015) in place of products; all else is as in attend.h and decode.h.
//
//     score[k][q] = Σ_h weight[h] · tanh(Q[q][h] + K[k][h])
//
// Q and K come projected. A tanh lives in a register from the sum to its weight: what the formula says to store, of
// (queries, keys, hidden), exists nowhere. Error of a tanh: exp.h.
#pragma once

#include "attend.h"
#include "decode.h"

namespace pyattn {
namespace {

constexpr int kTogether = 4;  // keys whose sums grow side by side: a tanh alone would wait for itself

// Queries in lanes. Sums over the hidden units in blocks: short sums, added up, keep the rounding small.
template <class T, int Vectors> struct AdditiveProducts : NumberProducts<T, Vectors> {
  using Base = NumberProducts<T, Vectors>;
  using Base::buffers;
  using Base::kQ;
  using Base::task;

  AdditiveProducts(const BlockTask& t, LaneBuffers<T, Vectors>& b, T) : Base{t, b, T(1)} {
    for (std::int64_t h = 0; h < t.width; ++h) b.hidden[h] = T(t.score_weight[h]);
  }

  T score(std::int64_t k, std::int64_t n, bool) {
    const DenseRows<T> keys = dense_rows<T>(task.key, k, n, task.width, buffers.keys);
    std::int64_t i = 0;
    for (; i + kTogether <= n; i += kTogether) score_keys<kTogether>(keys, i);
    for (; i < n; ++i) score_keys<1>(keys, i);
    return T(1);
  }

 private:
  template <int Keys> PYATTN_INLINE void score_keys(DenseRows<T> keys, std::int64_t first) {
    for (int j = 0; j < Vectors; ++j) {
      const T* queries = buffers.queries + j * kLanes<T>;
      Vec<T> total[Keys] = {};
      for (std::int64_t h = 0; h < task.width; h += kDepth) {
        const std::int64_t end = task.width - h < kDepth ? task.width : h + kDepth;
        Vec<T> sum[Keys] = {};
        for (std::int64_t i = h; i < end; ++i) {
          const Vec<T> query = load<T>(queries + i * kQ);
          const T weight = buffers.hidden[i];
#pragma GCC unroll 4
          for (int u = 0; u < Keys; ++u)
            sum[u] += weight * tanh_of<T>(query + keys.data[(first + u) * keys.stride + i]);
        }
#pragma GCC unroll 4
        for (int u = 0; u < Keys; ++u) total[u] += sum[u];
      }
#pragma GCC unroll 4
      for (int u = 0; u < Keys; ++u) store<T>(buffers.scores + (first + u) * kQ + j * kLanes<T>, total[u]);
    }
  }
};

// Hidden units in lanes.
template <class T> struct AdditiveRowProducts : NumberRowProducts<T> {
  using Base = NumberRowProducts<T>;
  using Base::buffers;
  using Base::kL;
  using Base::task;

  AdditiveRowProducts(const BlockTask& t, RowBuffers<T>& b) : Base{t, b} {
    for (std::int64_t h = 0; h < padded<T>(t.width); ++h) b.hidden[h] = h < t.width ? T(t.score_weight[h]) : T(0);
  }

  void fetch_query(const char* from, std::int64_t r) {
    fetch_row<T>(task.query.dtype, from, task.query.column_stride, task.width, buffers.queries + r * buffers.width);
  }

  void score(std::int64_t first_key, std::int64_t keys) {
    for (std::int64_t k = 0; k < keys; k += kL) {
      const std::int64_t n = keys - k < kL ? keys - k : kL;
      const DenseRows<T> key = Base::whole_rows(task.key, first_key + k, n, task.width, buffers.keys);
      for (std::int64_t r = 0; r < task.rows; ++r) score_row(buffers.queries + r * buffers.width, key, n, r, k);
    }
  }

 private:
  void score_row(const T* query, DenseRows<T> key, std::int64_t n, std::int64_t r, std::int64_t k) {
    LaneSums<T, 1> sums(n);
    for (std::int64_t i = 0; i < n; ++i) {
      Vec<T> sum = {};
      for (std::int64_t h = 0; h < padded<T>(task.width); h += kL)
        sum += load<T>(buffers.hidden + h) * tanh_of<T>(load<T>(query + h) + load<T>(key.data + i * key.stride + h));
      store<T>(sums.at(0, i), sum);
    }
    store<T>(buffers.scores_of(r) + k, sums.across(0));
  }
};

template <class T, int Vectors> bool attend_additive_in(const BlockTask& task, char* scratch) {
  return run_panel<LaneAttention<AdditiveProducts<T, Vectors>, Vectors, Base::kE>, 1>(task, scratch);
}

// Natural units throughout: the weights of the hidden units would carry another base's rounding.
template <class T> bool attend_additive(const BlockTask& task, char* scratch) {
  const auto vectors = (task.rows + kLanes<T> - 1) / kLanes<T>;
  if (vectors == 1) return attend_additive_in<T, 1>(task, scratch);
  if (vectors == 2) return attend_additive_in<T, 2>(task, scratch);
  return attend_additive_in<T, 3>(task, scratch);
}

}  // namespace
}  // namespace pyattn
