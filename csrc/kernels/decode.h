// Attention of a few queries over many keys, with the features in lanes: K and V are read once, at the speed of
// memory, and every load serves all the query heads of a group.
//
//     scores    kLanes keys at a time: one vector of products per key, added across lanes by a tree
//     softmax   along the keys
//     output    sums[r][d] = shrink · sums[r][d] + Σ_k weights[r][k] · V[k][d]
#pragma once

#include "mask.h"
#include "scratch.h"
#include "softmax.h"

namespace pyattn {
namespace {

constexpr int kValueGroup = 8;       // keys whose values are held in registers at a time
constexpr int kPrefetchRows = 16;

template <class T> struct RowBuffers {
  T *queries, *scores, *sums, *special, *line, *keys, *values;
  unsigned char* attended;  // rows × kKeyBlock
  T *max, *sum;
  bool* seen;

  RowBuffers(Carver& c, std::int64_t rows, std::int64_t width, std::int64_t value_width) {
    const std::int64_t w = padded<T>(width), v = padded<T>(value_width);
    queries = c.take<T>(rows * w);
    scores = c.take<T>(rows * kKeyBlock);
    sums = c.take<T>(rows * v);
    special = c.take<T>(rows * v);
    line = c.take<T>(w > v ? (w > kKeyBlock ? w : kKeyBlock) : (v > kKeyBlock ? v : kKeyBlock));
    keys = c.take<T>(kLanes<T> * w);
    values = c.take<T>(kValueGroup * v);
    attended = c.take<unsigned char>(rows * kKeyBlock);
    max = c.take<T>(rows);
    sum = c.take<T>(rows);
    seen = c.take<bool>(rows);
  }
};

template <class T> struct RowAttention {
  static constexpr int kL = kLanes<T>;

  const BlockTask& task;
  RowBuffers<T> buffers;
  std::int64_t rows, width, value_width;  // widths in whole vectors

  RowAttention(const BlockTask& t, Carver carver)
      : task(t),
        buffers(carver, t.rows, t.width, t.value_width),
        rows(t.rows),
        width(padded<T>(t.width)),
        value_width(padded<T>(t.value_width)) {
    clear(buffers.sums, rows * value_width);
    if (t.careful) clear(buffers.special, rows * value_width);
    for (std::int64_t r = 0; r < rows; ++r) start_row(r);
  }

  bool run() {
    for (std::int64_t k = task.first_key, b = 0; k < task.last_key; k += kKeyBlock, ++b) {
      const Visible visible = task.visible ? task.visible[b] : Visible::kAll;
      if (visible == Visible::kNone) continue;
      const std::int64_t n = task.last_key - k < kKeyBlock ? task.last_key - k : kKeyBlock;
      score(k, n);
      for (std::int64_t r = 0; r < rows; ++r) {
        mask_row(r, k, n, visible);
        absorb(r, n);
      }
      accumulate(k, n);
    }
    if (!task.careful && !is_clean()) return false;
    for (std::int64_t r = 0; r < rows; ++r) finish_row(r);
    return true;
  }

 private:
  std::int64_t query_of(std::int64_t r) const { return (task.first_row + r) / task.group; }
  std::int64_t head_of(std::int64_t r) const { return (task.first_row + r) % task.group; }
  T* scores_of(std::int64_t r) const { return buffers.scores + r * kKeyBlock; }
  unsigned char* attended_of(std::int64_t r) const { return buffers.attended + r * kKeyBlock; }

  void start_row(std::int64_t r) {
    const std::int64_t query = query_of(r), head = head_of(r);
    T* row = buffers.queries + r * width;
    fetch_row<T>(task.query.dtype, task.query.data + head * task.query_head_stride + query * task.query.row_stride,
                 task.query.column_stride, task.width, row);
    for (std::int64_t d = 0; d < width; d += kL) store<T>(row + d, load<T>(row + d) * T(task.scale));
    const T sink = task.sinks ? T(task.sinks[head]) : -kInf<T>;
    buffers.max[r] = sink;
    buffers.sum[r] = sink == -kInf<T> ? T(0) : T(1);
    buffers.seen[r] = !task.careful && first_visible(task.interval, query) < last_visible(task.interval, query);
  }

  // Rows that can be read in whole vectors: in place, or a padded copy.
  DenseRows<T> whole_rows(const Matrix& m, std::int64_t first, std::int64_t n, std::int64_t columns, T* space) {
    if (columns % kL == 0 && is_dense<T>(m)) {
      for (std::int64_t i = 0; i < n; ++i) {
        const char* ahead = m.data + (first + i + kPrefetchRows) * m.row_stride;
        for (std::int64_t byte = 0; byte < columns * std::int64_t(sizeof(T)); byte += 64) __builtin_prefetch(ahead + byte);
      }
      return dense_rows<T>(m, first, n, columns, space);
    }
    const char* row = m.data + first * m.row_stride;
    const std::int64_t stride = padded<T>(columns);
    for (std::int64_t i = 0; i < n; ++i)
      fetch_row<T>(m.dtype, row + i * m.row_stride, m.column_stride, columns, space + i * stride);
    return {space, stride};
  }

  void score(std::int64_t first_key, std::int64_t keys) {
    for (std::int64_t k = 0; k < keys; k += kL) {
      const std::int64_t n = keys - k < kL ? keys - k : kL;
      const DenseRows<T> key = whole_rows(task.key, first_key + k, n, task.width, buffers.keys);
      for (std::int64_t r = 0; r < rows; ++r) score_group(buffers.queries + r * width, key, n, scores_of(r) + k);
    }
  }

  PYATTN_INLINE void score_group(const T* query, DenseRows<T> key, std::int64_t n, T* scores) {
    Vec<T> products[kL];
    constexpr int kTogether = kL < 4 ? kL : 4;  // independent sums hide the latency of the products
#pragma GCC unroll 4
    for (int i = 0; i < kL; i += kTogether) {
      const T* row[kTogether];
      Vec<T> sum[kTogether] = {};
#pragma GCC unroll 4
      for (int u = 0; u < kTogether; ++u) row[u] = key.data + (i + u < n ? i + u : n - 1) * key.stride;
      for (std::int64_t d = 0; d < width; d += kL) {
        const Vec<T> q = load<T>(query + d);
#pragma GCC unroll 4
        for (int u = 0; u < kTogether; ++u) sum[u] += q * load<T>(row[u] + d);
      }
#pragma GCC unroll 4
      for (int u = 0; u < kTogether; ++u) products[i + u] = sum[u];
    }
    store<T>(scores, sums_of_rows<T>(products));
  }

  void mask_row(std::int64_t r, std::int64_t first_key, std::int64_t n, Visible visible) {
    T* scores = scores_of(r);
    const std::int64_t query = query_of(r), head = head_of(r);
    unsigned char* attended = attended_of(r);
    if (task.careful) __builtin_memset(attended, 1, std::size_t(n));
    if (task.softcap != 0)
      for (std::int64_t k = 0; k < padded<T>(n); k += kL)
        store<T>(scores + k, tanh_of<T>(load<T>(scores + k) * T(1 / task.softcap)) * T(task.softcap));
    for (int i = 0; i < task.biases; ++i) {
      const Term& t = task.bias[i];
      fetch_row<T>(t.dtype, t.data + head * t.head_stride + query * t.row_stride + first_key * t.column_stride,
                   t.column_stride, n, buffers.line);
      for (std::int64_t k = 0; k < n; ++k) {
        if (buffers.line[k] == -kInf<T>) hide(r, k);
        else scores[k] += buffers.line[k];
      }
    }
    if (task.slopes) {
      const T slope = T(task.slopes[head]), position = T(query + task.interval.offset - first_key);
      for (std::int64_t k = 0; k < n; ++k) scores[k] -= slope * __builtin_fabs(position - T(k));
    }
    for (std::int64_t k = n; k < padded<T>(n); ++k) scores[k] = -kInf<T>;
    if (visible == Visible::kAll) return;
    if (task.structured) {
      const std::int64_t from = clamp_to(first_visible(task.interval, query) - first_key, 0, n);
      const std::int64_t to = clamp_to(last_visible(task.interval, query) - first_key, 0, n);
      for (std::int64_t k = 0; k < from; ++k) hide(r, k);
      for (std::int64_t k = to; k < n; ++k) hide(r, k);
    }
    for (int i = 0; i < task.keeps; ++i) {
      const Term& t = task.keep[i];
      const char* keep = t.data + head * t.head_stride + query * t.row_stride + first_key * t.column_stride;
      for (std::int64_t k = 0; k < n; ++k)
        if (!keep[k * t.column_stride]) hide(r, k);
    }
  }

  PYATTN_INLINE void hide(std::int64_t r, std::int64_t k) {
    scores_of(r)[k] = -kInf<T>;
    if (task.careful) attended_of(r)[k] = 0;
  }

  // One step of the online softmax (softmax.h), along the keys of one row.
  void absorb(std::int64_t r, std::int64_t n) {
    T* scores = scores_of(r);
    Vec<T> best = splat<T>(buffers.max[r]);
    for (std::int64_t k = 0; k < n; k += kL) best = larger<T>(load<T>(scores + k), best);
    const T max = largest_lane<T>(best);
    const Vec<T> floor = splat<T>(max == -kInf<T> ? T(0) : max);
    Vec<T> sum = {};
    for (std::int64_t k = 0; k < n; k += kL) {
      const Vec<T> weight = exp_negative<T>(load<T>(scores + k) - floor);
      sum += weight;
      store<T>(scores + k, weight);
    }
    const T shrink = exp_negative<T>(splat<T>(buffers.max[r]) - floor)[0];
    buffers.sum[r] = buffers.sum[r] * shrink + sum_of_lanes<T>(sum);
    if (max != buffers.max[r])
      for (std::int64_t d = 0; d < value_width; d += kL) {
        store<T>(buffers.sums + r * value_width + d, load<T>(buffers.sums + r * value_width + d) * shrink);
        if (task.careful) store<T>(buffers.special + r * value_width + d, load<T>(buffers.special + r * value_width + d) * shrink);
      }
    buffers.max[r] = max;
  }

  void accumulate(std::int64_t first_key, std::int64_t keys) {
    std::int64_t k = 0;
    for (; k + kValueGroup <= keys; k += kValueGroup) add_values<kValueGroup>(first_key, k);
    for (; k < keys; ++k) add_values<1>(first_key, k);
  }

  template <int N> PYATTN_INLINE void add_values(std::int64_t first_key, std::int64_t k) {
    DenseRows<T> value = whole_rows(task.value, first_key + k, N, task.value_width, buffers.values);
    if (task.careful) value = without_special(value, k, N);
    for (std::int64_t d = 0; d < value_width; d += kL) {
      Vec<T> v[N];
#pragma GCC unroll 8
      for (int u = 0; u < N; ++u) v[u] = load<T>(value.data + u * value.stride + d);
      for (std::int64_t r = 0; r < rows; ++r) {
        T* at = buffers.sums + r * value_width + d;
        const T* weight = scores_of(r) + k;
        Vec<T> sum = v[0] * weight[0];
#pragma GCC unroll 8
        for (int u = 1; u < N; ++u) sum += v[u] * weight[u];
        store<T>(at, load<T>(at) + sum);
      }
    }
  }

  // As in attend.h: what is not finite is weighed apart, only where it is attended.
  DenseRows<T> without_special(DenseRows<T> value, std::int64_t k, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t r = 0; r < rows; ++r) buffers.seen[r] |= attended_of(r)[k + i] != 0;
      for (std::int64_t d = 0; d < value_width; ++d) {
        const T x = d < task.value_width ? value.data[i * value.stride + d] : T(0);
        const bool finite = x - x == 0;
        buffers.values[i * value_width + d] = finite ? x : T(0);
        for (std::int64_t r = 0; r < rows && !finite; ++r)
          if (attended_of(r)[k + i]) buffers.special[r * value_width + d] += scores_of(r)[k + i] * x;
      }
    }
    return {buffers.values, value_width};
  }

  bool is_clean() {
    if (!task.structured && !task.keeps && !task.biases) return true;
    for (std::int64_t r = 0; r < rows; ++r) {
      if ((task.keeps || task.biases) && buffers.seen[r] && buffers.sum[r] == 0) return false;
      const T* sums = buffers.sums + r * value_width;
      for (std::int64_t d = 0; d < task.value_width; ++d)
        if (sums[d] - sums[d] != 0) return false;
    }
    return true;
  }

  void finish_row(std::int64_t r) {
    T* sums = buffers.sums + r * value_width;
    if (task.careful)
      for (std::int64_t d = 0; d < value_width; ++d) sums[d] += buffers.special[r * value_width + d];
    const T sum = buffers.sum[r], max = buffers.max[r];
    if (task.partial.sums) {
      __builtin_memcpy(static_cast<T*>(task.partial.sums) + r * task.value_width, sums, std::size_t(task.value_width) * sizeof(T));
      static_cast<T*>(task.partial.max)[r] = max;
      static_cast<T*>(task.partial.sum)[r] = buffers.seen[r] && max == -kInf<T> ? T(__builtin_nan("")) : sum;
      return;
    }
    const bool nothing = !buffers.seen[r] && sum == 0;
    const Vec<T> factor = splat<T>(nothing ? T(0) : 1 / sum);
    for (std::int64_t d = 0; d < value_width; d += kL) store<T>(buffers.line + d, load<T>(sums + d) * factor);
    char* to = task.out.data + head_of(r) * task.out_head_stride + query_of(r) * task.out.row_stride;
    store_row<T>(buffers.line, task.out.dtype, to, task.out.column_stride, task.value_width);
    if (!task.lse) return;
    const T lse = nothing ? -kInf<T> : max + log_of<T>(sum);
    __builtin_memcpy(task.lse + head_of(r) * task.lse_head_stride + query_of(r) * task.lse_row_stride, &lse, sizeof lse);
  }
};

template <class T> bool decode(const BlockTask& task, char* scratch) {
  return RowAttention<T>(task, Carver{reinterpret_cast<std::uintptr_t>(scratch)}).run();
}

template <class T>
std::size_t decode_scratch(std::int64_t rows, std::int64_t width, std::int64_t value_width) {
  Carver c{0};
  RowBuffers<T>(c, rows, width, value_width);
  return std::size_t(c.at);
}

}  // namespace
}  // namespace pyattn
