// What happens to a block of scores between the product and the softmax, one query per lane:
//     softcap → biases → what a query may not see becomes −inf
#pragma once

#include "exp.h"
#include "pack.h"
#include "scratch.h"

namespace pyattn {
namespace {

PYATTN_INLINE std::int64_t clamp_to(std::int64_t x, std::int64_t low, std::int64_t high) {
  return x < low ? low : x > high ? high : x;
}

// The first and one past the last key that query i of an item sees by the structured masks.
PYATTN_INLINE std::int64_t first_visible(const KeyInterval& m, std::int64_t i) {
  return clamp_to(i + m.offset - m.left, 0, m.key_length);
}
PYATTN_INLINE std::int64_t last_visible(const KeyInterval& m, std::int64_t i) {
  return i >= m.query_length ? 0 : clamp_to(i + m.offset + m.right + 1, 0, m.key_length);
}

PYATTN_INLINE bool same_for_all_rows(const Term& t) { return t.head_stride == 0 && t.row_stride == 0; }

template <class T, int Vectors> struct LaneMask {
  static constexpr int kL = kLanes<T>;
  static constexpr int kQ = Vectors * kL;
  static constexpr int kQ16 = (kQ + 15) / 16 * 16;

  const BlockTask& task;
  std::int64_t query[kQ];  // which query, and which head of the group, a lane holds; spare lanes repeat the last
  std::int64_t head[kQ];
  std::int64_t first[kQ], last[kQ];  // its visible keys
  T* space;                          // kL × kKeyBlock
  unsigned char* keep_bytes;         // kKeyBlock × kQ16
  IntVec<T>* attended;               // per score, in careful runs: was it attended? Else null

  static constexpr std::size_t kBytes =
      std::size_t(kKeyBlock) * (kL * sizeof(T) + kQ16 + Vectors * sizeof(IntVec<T>)) + 3 * 64;

  LaneMask(const BlockTask& t, Carver& c) : task(t) {
    space = c.take<T>(kL * kKeyBlock);
    keep_bytes = c.take<unsigned char>(kKeyBlock * kQ16);
    attended = c.take<IntVec<T>>(kKeyBlock * Vectors);
    if (!t.careful) attended = nullptr;
    for (int q = 0; q < kQ; ++q) {
      const std::int64_t row = t.first_row + (q < t.rows ? q : t.rows - 1);
      query[q] = t.group == 1 ? row : row / t.group;  // the division is slow, for a call of a microsecond
      head[q] = t.group == 1 ? 0 : row % t.group;
      first[q] = first_visible(t.interval, query[q]);
      last[q] = last_visible(t.interval, query[q]);
    }
  }

  // What the intervals show of some keys: to no lane one of them, to every lane all, or some.
  Visible interval_shows(std::int64_t key, std::int64_t keys) const {
    bool none = true, all = true;
    for (int q = 0; q < kQ; ++q) {
      none &= first[q] >= key + keys || last[q] <= key;
      all &= first[q] <= key && last[q] >= key + keys;
    }
    return none ? Visible::kNone : all ? Visible::kAll : Visible::kSome;
  }

  void apply(T* scores, std::int64_t first_key, std::int64_t keys, Visible visible) {
    if (attended)
      for (std::int64_t i = 0; i < keys * Vectors; ++i) attended[i] = ~IntVec<T>{};
    if (task.softcap != 0) cap(scores, keys);
    for (int i = 0; i < task.biases; ++i) add_bias<true>(task.bias[i], scores, first_key, keys);
    // A later bias may hold inf or NaN where an earlier one masks: mask once more.
    for (int i = 0; attended && i < task.biases - 1; ++i) add_bias<false>(task.bias[i], scores, first_key, keys);
    if (task.slopes) add_alibi(scores, first_key, keys);
    if (visible == Visible::kAll) return;
    if (task.structured) hide_outside(scores, first_key, keys);
    for (int i = 0; i < task.keeps; ++i) hide_dropped(task.keep[i], scores, first_key, keys);
  }

 private:
  PYATTN_INLINE void keep_where(IntVec<T> keep, T* scores, std::int64_t k, int j) {
    T* at = scores + k * kQ + j * kL;
    store<T>(at, keep ? load<T>(at) : splat<T>(-kInf<T>));
    if (attended) attended[k * Vectors + j] &= keep;
  }

  // softcap · tanh(s / softcap)
  void cap(T* scores, std::int64_t keys) {
    const T cap = T(task.softcap), inverse = T(1 / task.softcap);
    for (std::int64_t i = 0; i < keys * kQ; i += kL)
      store<T>(scores + i, tanh_of<T>(load<T>(scores + i) * inverse) * cap);
  }

  // A bias of −inf masks, whatever the score was. Only beside a score of inf or NaN does the sum not say so by itself;
  // that ends in a NaN, and in a careful run.
  template <bool kAdd> PYATTN_INLINE void add(Vec<T> bias, T* scores, std::int64_t k, int j) {
    T* at = scores + k * kQ + j * kL;
    if (kAdd) store<T>(at, load<T>(at) + bias);
    if (attended) keep_where(bias != -kInf<T>, scores, k, j);
  }

  template <bool kAdd> void add_bias(const Term& t, T* scores, std::int64_t first_key, std::int64_t keys) {
    const char* start = t.data + first_key * t.column_stride;
    if (same_for_all_rows(t)) {
      fetch_row<T>(t.dtype, start, t.column_stride, keys, space);
      for (std::int64_t k = 0; k < keys; ++k)
        for (int j = 0; j < Vectors; ++j) add<kAdd>(splat<T>(space[k]), scores, k, j);
      return;
    }
    const bool in_place = t.dtype == kDTypeOf<T> && t.column_stride == std::int64_t(sizeof(T));
    for (int j = 0; j < Vectors; ++j) {
      const T* row[kL];
      for (int i = 0; i < kL; ++i) {
        const char* from = start + head[j * kL + i] * t.head_stride + query[j * kL + i] * t.row_stride;
        row[i] = in_place ? reinterpret_cast<const T*>(from) : space + i * kKeyBlock;
        if (!in_place) fetch_row<T>(t.dtype, from, t.column_stride, keys, space + i * kKeyBlock);
      }
      for (std::int64_t k = 0; k < keys; k += kL) {
        Vec<T> square[kL];
#pragma GCC unroll 16
        for (int i = 0; i < kL; ++i) square[i] = load_first<T>(row[i] + k, keys - k);
        transpose<T>(square);
        for (int i = 0; i < kL && k + i < keys; ++i) add<kAdd>(square[i], scores, k + i, j);
      }
    }
  }

  // −slope · |i + offset − j|  (Press et al., 2022)
  void add_alibi(T* scores, std::int64_t first_key, std::int64_t keys) {
    for (int j = 0; j < Vectors; ++j) {
      Vec<T> slope, position;
      for (int i = 0; i < kL; ++i) {
        slope[i] = T(task.slopes[head[j * kL + i]]);
        position[i] = T(query[j * kL + i] + task.interval.offset - first_key);
      }
      for (std::int64_t k = 0; k < keys; ++k) {
        T* at = scores + k * kQ + j * kL;
        store<T>(at, load<T>(at) - slope * absolute<T>(position - T(k)));
      }
    }
  }

  void hide_outside(T* scores, std::int64_t first_key, std::int64_t keys) {
    for (int j = 0; j < Vectors; ++j) {
      IntVec<T> from, to;
      for (int i = 0; i < kL; ++i) {
        from[i] = Int<T>(clamp_to(first[j * kL + i] - first_key, 0, keys));
        to[i] = Int<T>(clamp_to(last[j * kL + i] - first_key, 0, keys));
      }
      for (std::int64_t k = 0; k < keys; ++k) {
        const IntVec<T> key = splat_int<T>(Int<T>(k));
        keep_where((key >= from) & (key < to), scores, k, j);
      }
    }
  }

  void hide_dropped(const Term& t, T* scores, std::int64_t first_key, std::int64_t keys) {
    const char* start = t.data + first_key * t.column_stride;
    if (same_for_all_rows(t)) {
      for (std::int64_t k = 0; k < keys; ++k)
        if (!start[k * t.column_stride])
          for (int j = 0; j < Vectors; ++j) keep_where(IntVec<T>{}, scores, k, j);
      return;
    }
    for (int q = 0; q < kQ; q += 16) gather_bytes(t, start, q, keys);
    typedef unsigned char Keep __attribute__((vector_size(kL)));
    for (std::int64_t k = 0; k < keys; ++k)
      for (int j = 0; j < Vectors; ++j) {
        Keep keep;
        __builtin_memcpy(&keep, keep_bytes + k * kQ16 + j * kL, sizeof keep);
        keep_where(__builtin_convertvector(keep, IntVec<T>) != 0, scores, k, j);
      }
  }

  // keep_bytes[k][q .. q + 16) from sixteen rows of the mask, by squares of 16 × 16 bytes.
  void gather_bytes(const Term& t, const char* start, int q, std::int64_t keys) {
    for (std::int64_t k = 0; k < keys; k += 16) {
      Bytes16 square[16];
      const std::int64_t n = keys - k < 16 ? keys - k : 16;
      for (int i = 0; i < 16; ++i) {
        const int lane = q + i < kQ ? q + i : kQ - 1;
        const char* row = start + head[lane] * t.head_stride + query[lane] * t.row_stride + k * t.column_stride;
        square[i] = Bytes16{};
        if (t.column_stride == 1 && n == 16) __builtin_memcpy(&square[i], row, 16);
        else
          for (std::int64_t c = 0; c < n; ++c) square[i][c] = static_cast<unsigned char>(row[c * t.column_stride]);
      }
      transpose_bytes(square);
      for (std::int64_t c = 0; c < n; ++c) __builtin_memcpy(keep_bytes + (k + c) * kQ16 + q, &square[c], 16);
    }
  }
};

}  // namespace
}  // namespace pyattn
