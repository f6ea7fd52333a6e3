// The one loop where the time goes: a tile of a product, rows by lanes, held in registers.
//
//     acc[r][q] = Σ_t  A[r · row_step + t · depth_step] · B[t][q]
//
// A is read element by element as broadcasts, in its own layout; B holds one query per lane. With K as A (row:
// key, depth: feature) this is a tile of scores, with V as A (row: feature, depth: key) a tile of the output.
#pragma once

#include "simd.h"

namespace pyattn {
namespace {

// As many rows as the registers hold. The order of the sum does not depend on it.
template <int Vectors> constexpr int kTileRows = kAccumulators / Vectors < 8 ? kAccumulators / Vectors : 8;

// Depth is cut so that a slice of B stays in the first-level cache, and so that no sum of products grows
// longer than what a blocked matrix product would add up in one go.
constexpr std::int64_t kDepth = 256;

// What is multiplied: numbers…
template <class T> struct Numbers {
  using Sum = T;
  using Element = T;
  static PYATTN_INLINE Vec<T> broadcast(const T* a) { return splat<T>(*a); }
  static PYATTN_INLINE Vec<T> lanes(const T* b) { return load<T>(b); }
  static PYATTN_INLINE Vec<T> add(Vec<T> acc, Vec<T> a, Vec<T> b) { return acc + a * b; }
};

#if PYATTN_PAIRS
// … or pairs of bfloat16, both of whose products one instruction adds.
struct Pairs {
  using Sum = float;
  using Element = std::uint32_t;
  static PYATTN_INLINE Bits broadcast(const std::uint32_t* a) {
    std::uint32_t pair;
    __builtin_memcpy(&pair, a, sizeof pair);  // a row of halves need not be aligned for pairs
    return pair + Bits{};
  }
  static PYATTN_INLINE Bits lanes(const std::uint32_t* b) {
    return (Bits)load<float>(reinterpret_cast<const float*>(b));
  }
  static PYATTN_INLINE Vec<float> add(Vec<float> acc, Bits a, Bits b) { return dot_pairs(acc, a, b); }
};
#endif

template <class What, int Rows, int Vectors> struct Tile {
  using T = typename What::Sum;
  using Element = typename What::Element;
  static constexpr int kQ = Vectors * kLanes<T>;
  Vec<T> acc[Rows][Vectors];

  // One of the two steps is 1: the rows' (kUnitRows) or the depth's. Steps in bytes: rows of halves may be odd.
  template <bool kUnitRows>
  PYATTN_INLINE void multiply(const Element* a, std::int64_t step, const Element* b, std::int64_t depth) {
    const std::int64_t row_step = kUnitRows ? std::int64_t(sizeof(Element)) : step;
    const std::int64_t depth_step = kUnitRows ? step : std::int64_t(sizeof(Element));
    const char* at = reinterpret_cast<const char*>(a);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) acc[r][j] = Vec<T>{};
    for (std::int64_t t = 0; t < depth; ++t, at += depth_step, b += kQ) {
      decltype(What::lanes(b)) lanes[Vectors];
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) lanes[j] = What::lanes(b + j * kLanes<T>);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) {
        const auto x = What::broadcast(reinterpret_cast<const Element*>(at + r * row_step));
#pragma GCC unroll 3
        for (int j = 0; j < Vectors; ++j) acc[r][j] = What::add(acc[r][j], x, lanes[j]);
      }
    }
  }
};

// Rows that will be read soon; none if `bytes` is 0. An address beyond the end does no harm.
struct ComingRows {
  const char* at = nullptr;
  std::int64_t step = 0, bytes = 0;

  template <int Rows> PYATTN_INLINE void ask_for(std::int64_t first) const {
    for (std::int64_t b = 0; b < bytes; b += 64)
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) __builtin_prefetch(at + (first + r) * step + b, 0, 2);
  }
};

// One product to be cut into tiles: `rows` rows of A from `a` on.
template <class What> struct Product {
  const typename What::Element* a;
  std::int64_t step;  // bytes
  const typename What::Element* b;
  std::int64_t depth, rows;
  typename What::Sum* to;  // [row][lane]
  // To be asked for meanwhile: rows of A beyond these, and what is multiplied after them.
  ComingRows next = {}, after = {};
};

// scores[k][q] (+)= factor · Σ_d K[k][d] · queries[d][q]; from row `k` on, in tiles of Rows, Rows / 2, …
template <class What, int Rows, int Vectors>
PYATTN_INLINE void score_tiles(const Product<What>& p, std::int64_t k, typename What::Sum factor, bool first) {
  using T = typename What::Sum;
  using Tile = Tile<What, Rows, Vectors>;
  const char* a = reinterpret_cast<const char*>(p.a);
  for (; k + Rows <= p.rows; k += Rows) {
    p.next.template ask_for<Rows>(k);
    p.after.template ask_for<Rows>(k);
    Tile tile;
    tile.template multiply<false>(reinterpret_cast<const typename What::Element*>(a + k * p.step), p.step, p.b,
                                  p.depth);
    T* to = p.to + k * Tile::kQ;
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) {
        T* at = to + r * Tile::kQ + j * kLanes<T>;
        const Vec<T> product = tile.acc[r][j] * factor;
        store<T>(at, first ? product : load<T>(at) + product);
      }
  }
  if constexpr (Rows > 1) score_tiles<What, Rows / 2, Vectors>(p, k, factor, first);
}

// sums[d][q] = shrink[q] · sums[d][q] + Σ_k V[k][d] · weights[k][q]
//
// The products of one block of keys are added up by themselves first: that is as accurate as a blocked matrix
// product, and the rescaling of the online softmax costs nothing more.
template <class What, int Rows, int Vectors>
PYATTN_INLINE void sum_tiles(const Product<What>& p, std::int64_t d, const Vec<typename What::Sum>* shrink) {
  using T = typename What::Sum;
  using Tile = Tile<What, Rows, Vectors>;
  for (; d + Rows <= p.rows; d += Rows) {
    Tile tile;
    tile.template multiply<true>(p.a + d, p.step, p.b, p.depth);
    T* to = p.to + d * Tile::kQ;
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) {
        T* at = to + r * Tile::kQ + j * kLanes<T>;
        store<T>(at, load<T>(at) * shrink[j] + tile.acc[r][j]);
      }
  }
  if constexpr (Rows > 1) sum_tiles<What, Rows / 2, Vectors>(p, d, shrink);
}

}  // namespace
}  // namespace pyattn
