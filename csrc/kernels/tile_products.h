// The products of bfloat16 for the tile unit, with the queries in lanes as everywhere.
//
//     scores    A: rows of keys where they lie       B: queries in pairs of features
//     output    A: values turned, [feature][key]     B: weights in pairs of keys
//
// What is packed for it lies tile behind tile, 1024 bytes each: rows of a tile that stand further apart take twice as
// long to load from the second-level cache.
#pragma once

#include "amx.h"
#include "products.h"

#if PYATTN_TILES
namespace pyattn {
namespace {

PYATTN_INLINE std::int64_t up_to(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

// Tiles of one factor, in bytes: from row to row of a tile, from tile to tile along the sum, and across it.
struct Tiles {
  const char* at;
  std::int64_t stride, along, across;
};

// Registers 0 to 3 are sums, 4 and 5 hold rows of A, 6 and 7 columns of B.
template <int Row, int Columns, bool kAdd> PYATTN_INLINE void start_row(const float* to, std::int64_t stride) {
  const float* row = to + Row * kTileSide * stride;
  if constexpr (kAdd) tile_load<2 * Row>(row, stride * 4);
  else tile_zero<2 * Row>();
  if constexpr (kAdd && Columns == 2) tile_load<2 * Row + 1>(row + kTileSide, stride * 4);
  else if constexpr (Columns == 2) tile_zero<2 * Row + 1>();
}
template <int Row, int Columns> PYATTN_INLINE void multiply_row(const Tiles& a) {
  tile_load<4 + Row>(a.at + Row * a.across, a.stride);
  tile_multiply<2 * Row, 4 + Row, 6>();
  if constexpr (Columns == 2) tile_multiply<2 * Row + 1, 4 + Row, 7>();
}
template <int Row, int Columns> PYATTN_INLINE void end_row(float* to, std::int64_t stride) {
  float* row = to + Row * kTileSide * stride;
  tile_store<2 * Row>(row, stride * 4);
  if constexpr (Columns == 2) tile_store<2 * Row + 1>(row + kTileSide, stride * 4);
}

// Up to 2 × 2 tiles of a product: each that is loaded serves two of them, and four sums keep the unit busy.
template <int Rows, int Columns, bool kAdd>
PYATTN_INLINE void multiply_tiles(Tiles a, Tiles b, std::int64_t depth, float* to, std::int64_t stride) {
  start_row<0, Columns, kAdd>(to, stride);
  if constexpr (Rows == 2) start_row<1, Columns, kAdd>(to, stride);
  for (std::int64_t t = 0; t < depth; ++t, a.at += a.along, b.at += b.along) {
    tile_load<6>(b.at, b.stride);
    if constexpr (Columns == 2) tile_load<7>(b.at + b.across, b.stride);
    multiply_row<0, Columns>(a);
    if constexpr (Rows == 2) multiply_row<1, Columns>(a);
  }
  end_row<0, Columns>(to, stride);
  if constexpr (Rows == 2) end_row<1, Columns>(to, stride);
}

// And a whole product, `rows` (a multiple of 16) by Vectors tiles.
template <int Vectors, bool kAdd, int Row, int j = 0>
PYATTN_INLINE void multiply_across(const Tiles& a, Tiles b, std::int64_t depth, float* to) {
  constexpr std::int64_t kStride = Vectors * kTileSide;
  multiply_tiles<Row, (Vectors - j > 1 ? 2 : 1), kAdd>(a, b, depth, to + j * kTileSide, kStride);
  b.at += 2 * b.across;
  if constexpr (j + 2 < Vectors) multiply_across<Vectors, kAdd, Row, j + 2>(a, b, depth, to);
}
template <int Vectors, bool kAdd>
PYATTN_INLINE void multiply_all(Tiles a, const Tiles& b, std::int64_t rows, std::int64_t depth, float* to) {
  constexpr std::int64_t kTwoRows = 2 * kTileSide;
  for (; rows >= kTwoRows; rows -= kTwoRows, a.at += 2 * a.across, to += kTwoRows * Vectors * kTileSide)
    multiply_across<Vectors, kAdd, 2>(a, b, depth, to);
  if (rows) multiply_across<Vectors, kAdd, 1>(a, b, depth, to);
}

template <int Vectors> struct TileProducts : PairProducts<Vectors> {
  using Base = PairProducts<Vectors>;
  using Base::task, Base::buffers, Base::factor, Base::kL, Base::kQ;
  using Unit = TileUnit;
  static constexpr bool kSharesWork = true;
  static constexpr std::int64_t kTileFloats = kTileSide * kTileSide;

  void pack_queries(int j) { this->pack_pairs(buffers.queries + j * query_tiles() * kTileFloats, kL); }

  float score(std::int64_t k, std::int64_t n, bool raw) {
    multiply_all<Vectors, false>(key_tiles(k, n), tiles_of(buffers.queries, query_tiles()), up_to(n, kTileSide),
                                 query_tiles(), buffers.scores);
    if (raw && factor > 0) return factor;
    for (float* at = buffers.scores; at < buffers.scores + n * kQ; at += kL) store<float>(at, load<float>(at) * factor);
    return 1.0f;
  }

  PYATTN_INLINE void keep(std::int64_t k, int j, Vec<float> weight, Vec<float> next) {
    store<float>(buffers.pairs + j * kBlockTiles * kTileFloats + k / 2 * kL, (Vec<float>)to_pairs(weight, next));
    if (task.careful) Base::keep_numbers(k, j, weight, next);
  }

  template <class F>
  void accumulate(std::int64_t k, std::int64_t n, const OnlineSoftmax<float, Vectors>& softmax, F&& special) {
    if (task.careful || *buffers.values_of != k) turn_values(k, n, special);
    *buffers.values_of = k;
    const std::int64_t depth = up_to(n, kTileHalves) / kTileHalves, pairs = (n + 1) / 2;
    for (int j = 0; j < Vectors; ++j)
      clear(buffers.pairs + j * kBlockTiles * kTileFloats + pairs * kL, (depth * kTileSide - pairs) * kL);
    if (softmax.shrinks) shrink_sums(softmax.shrink);
    multiply_all<Vectors, true>(tiles_of(buffers.values, kBlockTiles), tiles_of(buffers.pairs, kBlockTiles),
                                up_to(task.value_width, kTileSide), depth, buffers.sums);
  }

 private:
  static constexpr std::int64_t kBlockTiles = kKeyBlock / kTileHalves;

  std::int64_t query_tiles() const { return up_to(task.width, kTileHalves) / kTileHalves; }

  // Packed tiles, `along` of them along the sum.
  static Tiles tiles_of(const float* p, std::int64_t along) {
    return {reinterpret_cast<const char*>(p), 64, 1024, along * 1024};
  }

  void shrink_sums(const Vec<float>* shrink) {
    for (std::int64_t d = 0; d < task.value_width; ++d)
#pragma GCC unroll 4
      for (int j = 0; j < Vectors; ++j) {
        float* at = buffers.sums + d * kQ + j * kL;
        store<float>(at, load<float>(at) * shrink[j]);
      }
  }

  // Rows of keys, whole tiles of them: in place if that is what they are.
  Tiles key_tiles(std::int64_t k, std::int64_t n) {
    const Matrix& m = task.key;
    if (m.column_stride == 2 && task.width % kTileHalves == 0 && n % kTileSide == 0)
      return {m.data + k * m.row_stride, m.row_stride, 64, kTileSide * m.row_stride};
    const std::int64_t width = query_tiles() * kTileHalves;
    auto* space = reinterpret_cast<std::uint16_t*>(buffers.keys);
    if (*buffers.keys_of != k) copy_rows(m, k, n, task.width, up_to(n, kTileSide), width, space);
    *buffers.keys_of = k;
    return {reinterpret_cast<const char*>(space), width * 2, 64, kTileSide * width * 2};
  }

  static void copy_rows(const Matrix& m, std::int64_t first, std::int64_t n, std::int64_t width, std::int64_t rows,
                        std::int64_t columns, std::uint16_t* to) {
    clear(to, rows * columns);
    for (std::int64_t i = 0; i < n; ++i)
      fetch_bits(m.data + (first + i) * m.row_stride, m.column_stride, width, to + i * columns);
  }

  // Tiles of [feature][key], zeros beyond both.
  template <class F> void turn_values(std::int64_t k, std::int64_t n, F&& special) {
    const Matrix& m = task.value;
    const std::int64_t width = up_to(task.value_width, kTileSide);
    const char* rows = m.data + k * m.row_stride;
    std::int64_t stride = m.row_stride;
    if (task.careful || m.column_stride != 2 || task.value_width != width || n % kTileHalves) {
      auto* space = reinterpret_cast<std::uint16_t*>(buffers.values) + kKeyBlock * width;
      copy_rows(m, k, n, task.value_width, up_to(n, kTileHalves), width, space);
      for (std::int64_t i = 0; task.careful && i < n; ++i) this->without_special(space + i * width, i, special);
      rows = reinterpret_cast<const char*>(space);
      stride = width * 2;
    }
    for (std::int64_t i = 0; i < n; i += kTileHalves)
      for (std::int64_t d = 0; d < width; d += 8) turn(rows + i * stride + d * 2, stride, d, i);
  }

  // 32 keys of 8 features.
  PYATTN_INLINE void turn(const char* from, std::int64_t stride, std::int64_t d, std::int64_t i) {
    float* to = buffers.values + (d / kTileSide * kBlockTiles + i / kTileHalves) * kTileFloats + d % kTileSide * kL;
    Words square[8];
#pragma GCC unroll 8
    for (int r = 0; r < 8; ++r) square[r] = (Words)load_units<float>(from + r * stride, 8 * stride);
    transpose_lanes(square);
#pragma GCC unroll 8
    for (int r = 0; r < 8; ++r) store<float>(to + r * kL, (Vec<float>)square[r]);
  }
};

}  // namespace
}  // namespace pyattn
#endif
