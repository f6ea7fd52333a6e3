// Attention of a few queries over many keys, with the features in lanes: K and V are read once, at the speed of
// memory, and every load serves all the query heads of a group.
//
//     scores    kLanes keys at a time: one vector of products per key, added across lanes by a tree
//     softmax   along the keys
//     output    sums[r][d] = shrink · sums[r][d] + Σ_k weights[r][k] · V[k][d]
#pragma once

#include "mask.h"
#include "row_products.h"
#include "softmax.h"

namespace pyattn {
namespace {

template <class Products> struct RowAttention {
  using T = typename Products::Sum;
  static constexpr int kL = kLanes<T>;

  const BlockTask& task;
  RowBuffers<T> buffers;
  Products products;
  std::int64_t rows, value_width;  // as buffered: in whole vectors

  RowAttention(const BlockTask& t, Carver carver)
      : task(t),
        buffers(carver, t.rows, t.width, t.value_width),
        products{t, buffers},
        rows(t.rows),
        value_width(buffers.value_width) {
    clear(buffers.sums, rows * value_width);
    if (t.careful) clear(buffers.special, rows * value_width);
    for (std::int64_t r = 0; r < rows; ++r) start_row(r);
  }

  bool run() {
    for (std::int64_t k = task.first_key, b = 0; k < task.last_key; k += kKeyBlock, ++b) {
      const Visible visible = task.visible ? task.visible[b] : Visible::kAll;
      if (visible == Visible::kNone) continue;
      const std::int64_t n = task.last_key - k < kKeyBlock ? task.last_key - k : kKeyBlock;
      products.score(k, n);
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
  T* scores_of(std::int64_t r) const { return buffers.scores_of(r); }
  unsigned char* attended_of(std::int64_t r) const { return buffers.attended + r * kKeyBlock; }

  void start_row(std::int64_t r) {
    const std::int64_t query = query_of(r), head = head_of(r);
    products.fetch_query(task.query.data + head * task.query_head_stride + query * task.query.row_stride, r);
    const T sink = task.sinks ? T(task.sinks[head]) : -kInf<T>;
    buffers.max[r] = sink;
    buffers.sum[r] = sink == -kInf<T> ? T(0) : T(1);
    buffers.seen[r] = !task.careful && first_visible(task.interval, query) < last_visible(task.interval, query);
  }

  // Caps, adds and hides in the order that attention is defined in: softcap, biases, slopes, masks.
  void mask_row(std::int64_t r, std::int64_t first_key, std::int64_t n, Visible visible) {
    if (task.careful) __builtin_memset(attended_of(r), 1, std::size_t(n));
    if (task.softcap != 0) cap(scores_of(r), n);
    for (int i = 0; i < task.biases; ++i) add_bias(task.bias[i], r, first_key, n);
    // Once more: a later bias may hold inf or NaN where an earlier one masks.
    for (int i = 0; i + 1 < task.biases; ++i) hide_by_bias(task.bias[i], r, first_key, n);
    if (task.slopes) add_slope(r, first_key, n);
    for (std::int64_t k = n; k < padded<T>(n); ++k) scores_of(r)[k] = -kInf<T>;
    if (visible == Visible::kAll) return;
    if (task.structured) hide_outside(r, first_key, n);
    for (int i = 0; i < task.keeps; ++i) hide_by_mask(task.keep[i], r, first_key, n);
  }

  void cap(T* scores, std::int64_t n) {
    for (std::int64_t k = 0; k < padded<T>(n); k += kL)
      store<T>(scores + k, tanh_of<T>(load<T>(scores + k) * T(1 / task.softcap)) * T(task.softcap));
  }

  // This row's part of a term, from a key on.
  const char* part_of(const Term& t, std::int64_t r, std::int64_t first_key) const {
    return t.data + head_of(r) * t.head_stride + query_of(r) * t.row_stride + first_key * t.column_stride;
  }

  void add_bias(const Term& t, std::int64_t r, std::int64_t first_key, std::int64_t n) {
    hide_by_bias(t, r, first_key, n);
    for (std::int64_t k = 0; k < n; ++k)
      if (buffers.line[k] != -kInf<T>) scores_of(r)[k] += buffers.line[k];
  }

  void hide_by_bias(const Term& t, std::int64_t r, std::int64_t first_key, std::int64_t n) {
    fetch_row<T>(t.dtype, part_of(t, r, first_key), t.column_stride, n, buffers.line);
    for (std::int64_t k = 0; k < n; ++k)
      if (buffers.line[k] == -kInf<T>) hide(r, k);
  }

  void add_slope(std::int64_t r, std::int64_t first_key, std::int64_t n) {
    const T slope = T(task.slopes[head_of(r)]), position = T(query_of(r) + task.interval.offset - first_key);
    for (std::int64_t k = 0; k < n; ++k) scores_of(r)[k] -= slope * __builtin_fabs(position - T(k));
  }

  void hide_outside(std::int64_t r, std::int64_t first_key, std::int64_t n) {
    const std::int64_t from = clamp_to(first_visible(task.interval, query_of(r)) - first_key, 0, n);
    const std::int64_t to = clamp_to(last_visible(task.interval, query_of(r)) - first_key, 0, n);
    for (std::int64_t k = 0; k < from; ++k) hide(r, k);
    for (std::int64_t k = to; k < n; ++k) hide(r, k);
  }

  void hide_by_mask(const Term& t, std::int64_t r, std::int64_t first_key, std::int64_t n) {
    const char* keep = part_of(t, r, first_key);
    for (std::int64_t k = 0; k < n; ++k)
      if (!keep[k * t.column_stride]) hide(r, k);
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
        if (task.careful)
          store<T>(buffers.special + r * value_width + d, load<T>(buffers.special + r * value_width + d) * shrink);
      }
    buffers.max[r] = max;
  }

  // As in attend.h: what is not finite is weighed apart, only where it is attended.
  void accumulate(std::int64_t first_key, std::int64_t n) {
    if (task.careful)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t k = 0; k < n; ++k) buffers.seen[r] |= attended_of(r)[k] != 0;
    products.accumulate(first_key, n, [this](std::int64_t k, std::int64_t d, T x) {
      for (std::int64_t r = 0; r < rows; ++r)
        if (attended_of(r)[k]) buffers.special[r * value_width + d] += scores_of(r)[k] * x;
    });
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
      __builtin_memcpy(static_cast<T*>(task.partial.sums) + r * task.value_width, sums,
                       std::size_t(task.value_width) * sizeof(T));
      static_cast<T*>(task.partial.max)[r] = max;
      static_cast<T*>(task.partial.sum)[r] = partial_sum<T>(sum, max, buffers.seen[r]);
      return;
    }
    const bool nothing = !buffers.seen[r] && sum == 0;
    const Vec<T> factor = splat<T>(nothing ? T(0) : 1 / sum);
    for (std::int64_t d = 0; d < value_width; d += kL) store<T>(buffers.line + d, load<T>(sums + d) * factor);
    char* to = task.out.data + head_of(r) * task.out_head_stride + query_of(r) * task.out.row_stride;
    store_row<T>(buffers.line, task.out.dtype, to, task.out.column_stride, task.value_width);
    if (!task.lse) return;
    const T lse = nothing ? -kInf<T> : max + log_of<T>(sum);
    __builtin_memcpy(task.lse + head_of(r) * task.lse_head_stride + query_of(r) * task.lse_row_stride, &lse,
                     sizeof lse);
  }
};

template <class Products> bool decode(const BlockTask& task, char* scratch) {
  return RowAttention<Products>(task, Carver{reinterpret_cast<std::uintptr_t>(scratch)}).run();
}

template <class T>
std::size_t decode_scratch(std::int64_t rows, std::int64_t width, std::int64_t value_width) {
  Carver c{0};
  RowBuffers<T>(c, rows, width, value_width);
  return std::size_t(c.at);
}

}  // namespace
}  // namespace pyattn
