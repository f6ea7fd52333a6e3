// Linear maps: a product of matrices, and what its sums go through before they are stored.
//
//     out[r][n] = activation(Σ_d x[r][d] · weight[n][d] + bias[n])
//
// As in attention, many rows stand in lanes, few have the features there; nothing is kept of a weight between calls.
// With rows in lanes the sums grow by slices of features (Goto and van de Geijn, 2008):
//
//     lanes     a chunk of features of all rows, turned over: stays in the second-level cache, a slice of a panel in the first
//     weight    a block of outputs, where it lies; what comes next is fetched while this is multiplied
//     sums      of all panels
#pragma once

#include "activation.h"
#include "row_products.h"
#include "tile.h"

namespace pyattn {
namespace {

// Of some outputs; zeros where there is none.
template <class T> inline void fetch_bias(const LinearTask& task, std::int64_t n, std::int64_t count, T* to) {
  if (!task.bias) clear(to, padded<T>(count));
  else fetch_row<T>(kDTypeOf<T>, task.bias + n * task.bias_stride, task.bias_stride, count, to);
}

template <class T> inline void write_row(const LinearTask& task, std::int64_t r, std::int64_t n, std::int64_t count,
                                         const T* row) {
  const Matrix& out = task.out;
  store_row<T>(row, out.dtype, out.data + r * out.row_stride + n * out.column_stride, out.column_stride, count);
}

template <class T> struct LinearBlock {
  static constexpr int kL = kLanes<T>;
  static constexpr int kVectors = 3;
  static constexpr int kQ = kVectors * kL;  // rows of a panel
  static constexpr std::int64_t kPanels = 4, kRows = kPanels * kQ, kOutputs = 512;
  static constexpr std::int64_t kChunk = 512, kSlice = 128, kBlock = 64;

  const LinearTask& task;
  T* weights;  // [output][feature] of a block and a slice, where they do not lie so
  T* lanes;    // [panel][feature][row] of a chunk
  T* sums;     // [panel][output][row]
  T* rows;     // kL rows of features, then of outputs
  T* bias;

  LinearBlock(const LinearTask& t, Carver carver) : LinearBlock(t, &carver) {}
  static std::size_t scratch() {
    Carver carver{0};
    const LinearTask none{};
    LinearBlock(none, &carver);
    return carver.at;
  }

  void run() {
    if (!task.width) clear(sums, kRows * kOutputs);
    for (std::int64_t d = 0; d < task.width; d += kChunk) add_chunk(d, least(kChunk, task.width - d));
    fetch_bias(task, task.first_output, task.outputs, bias);
    for (std::int64_t r = 0; r < task.rows; r += kQ)
      by_vectors(r, [&](auto vectors) __attribute__((always_inline)) { finish<vectors.n>(r); });
  }

 private:
  // What is multiplied at a time: these outputs and features (counted from the chunk's first) of a panel of rows.
  struct Part {
    DenseRows<T> weight;
    std::int64_t output, outputs, feature, features;
    bool first;  // nothing has been added up yet
  };

  LinearBlock(const LinearTask& t, Carver* carver) : task(t) {
    weights = carver->take<T>(kBlock * kSlice);
    lanes = carver->take<T>(kRows * kChunk);
    sums = carver->take<T>(kRows * kOutputs);
    rows = carver->take<T>(kL * (kChunk > kOutputs ? kChunk : kOutputs));
    bias = carver->take<T>(kOutputs);
  }

  static std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

  // f(Count<n>{}) for a panel whose rows fill n vectors.
  template <class F> PYATTN_INLINE void by_vectors(std::int64_t r, F&& f) {
    const std::int64_t left = task.rows - r;
    if (left > 2 * kL) f(Count<3>{});
    else if (left > kL) f(Count<2>{});
    else f(Count<1>{});
  }

  void add_chunk(std::int64_t first, std::int64_t width) {
    for (std::int64_t r = 0; r < task.rows; r += kQ)
      by_vectors(r, [&](auto vectors) __attribute__((always_inline)) { pack<vectors.n>(r, first, width); });
    for (std::int64_t n = 0; n < task.outputs; n += kBlock)
      for (std::int64_t d = 0; d < width; d += kSlice) {
        const std::int64_t count = least(kBlock, task.outputs - n), depth = least(kSlice, width - d);
        const Part part{weight_of(n, count, first + d, depth), n, count, d, depth, first + d == 0};
        for (std::int64_t r = 0; r < task.rows; r += kQ)
          by_vectors(r, [&](auto vectors) __attribute__((always_inline)) { multiply<vectors.n>(part, r); });
      }
  }

  DenseRows<T> weight_of(std::int64_t n, std::int64_t count, std::int64_t d, std::int64_t depth) {
    Matrix part = task.weight;
    part.data += d * part.column_stride;
    return dense_rows<T>(part, task.first_output + n, count, depth, weights);
  }

  template <int Vectors> void multiply(const Part& part, std::int64_t r) {
    constexpr int kTile = kTileRows<Vectors>;
    const T* b = lanes + r * kChunk + part.feature * Vectors * kL;
    T* to = sums + r * kOutputs + part.output * Vectors * kL;
    const std::int64_t step = part.weight.stride * std::int64_t(sizeof(T));
    std::int64_t n = 0;
    for (; n + kTile <= part.outputs; n += kTile) {
      fetch_ahead<kTile>(part, r / kQ, n);
      score_tiles<Numbers<T>, kTile, Vectors>(
          {part.weight.data + n * part.weight.stride, step, b, part.features, kTile, to + n * Vectors * kL}, 0, T(1),
          part.first);
    }
    score_tiles<Numbers<T>, kTile, Vectors>({part.weight.data, step, b, part.features, part.outputs, to}, n, T(1),
                                            part.first);
  }

  // Each panel asks for its share of the slice after this one: the weight's rows are far apart, and nobody guesses them.
  template <int Tile> PYATTN_INLINE void fetch_ahead(const Part& part, std::int64_t panel, std::int64_t n) {
    constexpr std::int64_t kShare = Tile / kPanels, kSize = sizeof(T);
    const char* slice = reinterpret_cast<const char*>(part.weight.data + part.features);
    ComingRows{slice, part.weight.stride * kSize, part.features * kSize}.ask_for<kShare>(n + panel * kShare);
  }

  template <int Vectors> void pack(std::int64_t r, std::int64_t first, std::int64_t width) {
    for (int j = 0; j < Vectors; ++j) {
      const DenseRows<T> square = rows_of_x(r + j * kL, first, width);
      rows_to_lanes<T>(square.data, square.stride, padded<T>(width), T(1), lanes + r * kChunk + j * kL, Vectors * kL);
    }
  }

  // kL rows in whole vectors: in place, or a copy with zeros around it.
  DenseRows<T> rows_of_x(std::int64_t r, std::int64_t first, std::int64_t width) {
    Matrix x = task.x;
    x.data += (task.first_row + r) * x.row_stride + first * x.column_stride;
    const std::int64_t count = least(kL, task.rows - r);
    if (count == kL && width % kL == 0 && is_dense<T>(x)) return dense_rows<T>(x, 0, kL, width, rows);
    clear(rows, kL * padded<T>(width));
    for (std::int64_t i = 0; i < count; ++i)
      fetch_row<T>(x.dtype, x.data + i * x.row_stride, x.column_stride, width, rows + i * padded<T>(width));
    return {rows, padded<T>(width)};
  }

  template <int Vectors> void finish(std::int64_t r) {
    T* panel = sums + r * kOutputs;
    if (task.bias || task.activation != Activation::kNone) activate<Vectors>(panel);
    for (int j = 0; j < Vectors; ++j) write(panel + j * kL, Vectors * kL, r + j * kL);
  }

  template <int Vectors> void activate(T* panel) {
    with_activation<T>(task.activation, [&](auto f) __attribute__((always_inline)) {
      for (std::int64_t n = 0; n < task.outputs; ++n)
#pragma GCC unroll 3
        for (int j = 0; j < Vectors; ++j) {
          T* at = panel + (n * Vectors + j) * kL;
          store<T>(at, f(load<T>(at) + bias[n]));
        }
    });
  }

  // Up to kL rows of the result.
  void write(const T* from, std::int64_t lane_stride, std::int64_t r) {
    Matrix out = task.out;
    out.data += (task.first_row + r) * out.row_stride + task.first_output * out.column_stride;
    const std::int64_t count = least(kL, task.rows - r), width = padded<T>(task.outputs);
    const Vec<T> one = splat<T>(T(1));
    if (count == kL && width == task.outputs && is_dense<T>(out))
      return lanes_to_rows<T>(from, lane_stride, width, one, reinterpret_cast<T*>(out.data),
                              out.row_stride / std::int64_t(sizeof(T)));
    lanes_to_rows<T>(from, lane_stride, width, one, rows, width);
    for (std::int64_t i = 0; i < count; ++i)
      store_row<T>(rows + i * width, out.dtype, out.data + i * out.row_stride, out.column_stride, task.outputs);
  }
};

template <class T> void linear(const LinearTask& task, char* scratch) {
  LinearBlock<T>(task, Carver{reinterpret_cast<std::uintptr_t>(scratch)}).run();
}

// The scores of attention: rows of x as queries, those of the weight as keys, read where they lie.
template <class T> void linear_few(const LinearTask& task, char* scratch) {
  BlockTask block{};
  block.key = task.weight;
  block.query = task.x;
  block.rows = task.rows;
  block.width = task.width;
  block.scale = 1;
  Carver carver{reinterpret_cast<std::uintptr_t>(scratch)};
  RowBuffers<T> buffers(carver, task.rows, task.width, 0);
  NumberRowProducts<T> products{block, buffers};
  for (std::int64_t r = 0; r < task.rows; ++r)
    products.fetch_query(task.x.data + (task.first_row + r) * task.x.row_stride, r);
  for (std::int64_t n = 0; n < task.outputs; n += kKeyBlock) {
    const std::int64_t count = task.outputs - n < kKeyBlock ? task.outputs - n : kKeyBlock;
    const std::int64_t first = task.first_output + n;
    products.score(first, count);
    fetch_bias(task, first, count, buffers.line);
    for (std::int64_t r = 0; r < task.rows; ++r) {
      T* scores = buffers.scores_of(r);
      with_activation<T>(task.activation, [&](auto f) __attribute__((always_inline)) {
        for (std::int64_t i = 0; i < count; i += kLanes<T>)
          store<T>(scores + i, f(load<T>(scores + i) + load<T>(buffers.line + i)));
      });
      write_row(task, task.first_row + r, first, count, scores);
    }
  }
}

}  // namespace
}  // namespace pyattn
