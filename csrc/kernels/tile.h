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

template <class T, int Rows, int Vectors> struct Tile {
  static constexpr int kQ = Vectors * kLanes<T>;
  Vec<T> acc[Rows][Vectors];

  template <bool kUnitRows>
  PYATTN_INLINE void multiply(const T* __restrict a, std::int64_t row_step, std::int64_t depth_step,
                              const T* __restrict b, std::int64_t depth) {
    if (kUnitRows) row_step = 1;
    else depth_step = 1;
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) acc[r][j] = Vec<T>{};
    for (std::int64_t t = 0; t < depth; ++t, a += depth_step, b += kQ) {
      Vec<T> lanes[Vectors];
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) lanes[j] = load<T>(b + j * kLanes<T>);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) {
        const Vec<T> x = splat<T>(a[r * row_step]);
#pragma GCC unroll 3
        for (int j = 0; j < Vectors; ++j) acc[r][j] += x * lanes[j];
      }
    }
  }
};

// scores[k][q] (+)= Σ_d K[k][d] · queries[d][q]
template <class T, int Rows, int Vectors>
PYATTN_INLINE void score_tiles(std::int64_t& k, std::int64_t keys, const T* key, std::int64_t key_stride,
                               const T* queries, std::int64_t depth, bool first, T* scores) {
  using Tile = Tile<T, Rows, Vectors>;
  for (; k + Rows <= keys; k += Rows) {
    Tile tile;
    tile.template multiply<false>(key + k * key_stride, key_stride, 1, queries, depth);
    T* to = scores + k * Tile::kQ;
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) {
        T* at = to + r * Tile::kQ + j * kLanes<T>;
        store<T>(at, first ? tile.acc[r][j] : load<T>(at) + tile.acc[r][j]);
      }
  }
  if constexpr (Rows > 1)
    score_tiles<T, Rows / 2, Vectors>(k, keys, key, key_stride, queries, depth, first, scores);
}

// sums[d][q] = shrink[q] · sums[d][q] + Σ_k V[k][d] · weights[k][q]
//
// The products of one block of keys are added up by themselves first: that is as accurate as a blocked matrix
// product, and the rescaling of the online softmax costs nothing more.
template <class T, int Rows, int Vectors>
PYATTN_INLINE void sum_tiles(std::int64_t& d, std::int64_t width, const T* value, std::int64_t value_stride,
                             const T* weights, std::int64_t keys, const Vec<T>* shrink, T* sums) {
  using Tile = Tile<T, Rows, Vectors>;
  for (; d + Rows <= width; d += Rows) {
    Tile tile;
    tile.template multiply<true>(value + d, 1, value_stride, weights, keys);
    T* to = sums + d * Tile::kQ;
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 3
      for (int j = 0; j < Vectors; ++j) {
        T* at = to + r * Tile::kQ + j * kLanes<T>;
        store<T>(at, load<T>(at) * shrink[j] + tile.acc[r][j]);
      }
  }
  if constexpr (Rows > 1)
    sum_tiles<T, Rows / 2, Vectors>(d, width, value, value_stride, weights, keys, shrink, sums);
}

}  // namespace
}  // namespace pyattn
