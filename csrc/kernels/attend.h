// A task of attention with the queries in lanes: some groups of lanes that take its blocks of keys by turns.
//
// What is read and prepared of a block of keys serves all groups, while scores and weights stay as small as one of them.
#pragma once

#include "lanes.h"
#include "tile_products.h"

namespace pyattn {
namespace {

template <class Lanes, int Most> struct Panel {
  static constexpr std::int64_t kQ = Lanes::kQ;

  BlockTask tasks[Most];
  Lanes* groups[Most];
  int count = 0;

  Panel(const BlockTask& task, Carver kept, Carver passing) {
    for (std::int64_t first = 0; first < task.rows; first += kQ, ++count) {
      tasks[count] = part_of(task, first);
      groups[count] = new (kept.take<Lanes>(1)) Lanes(tasks[count], kept, passing);
    }
  }

  // True: done. False: something masked may have leaked, or a row may have seen nothing; run it carefully.
  bool run() {
    for_each_block(tasks[0], [this](std::int64_t k, std::int64_t n, Visible visible) {
      if (visible == Visible::kNone) return;
      for (int g = 0; g < count; ++g) groups[g]->take(k, n, count == 1 ? visible : groups[g]->sees(k, n, visible));
    });
    for (int g = 0; g < count; ++g)
      if (!groups[g]->is_clean()) return false;
    for (int g = 0; g < count; ++g) groups[g]->write();
    return true;
  }

 private:
  static BlockTask part_of(const BlockTask& task, std::int64_t first) {
    using T = typename Lanes::T;
    BlockTask part = task;
    part.first_row += first;
    part.rows = task.rows - first < kQ ? task.rows - first : kQ;
    part.cold = task.cold && first == 0;
    if (part.partial.sums) {
      part.partial.sums = static_cast<T*>(task.partial.sums) + first * task.value_width;
      part.partial.max = static_cast<T*>(task.partial.max) + first;
      part.partial.sum = static_cast<T*>(task.partial.sum) + first;
    }
    return part;
  }
};

// What a group keeps for itself, and what all of them use by turns.
template <class Lanes> struct PanelMemory {
  Carver kept{0}, passing{0};
  PanelMemory(std::int64_t width, std::int64_t value_width) {
    kept.take<Lanes>(1);
    Lanes::carve(kept, passing, width, value_width);
  }
};

template <class Lanes, int Most> bool run_panel(const BlockTask& task, char* scratch) {
  const auto start = reinterpret_cast<std::uintptr_t>(scratch);
  const PanelMemory<Lanes> memory(task.width, task.value_width);
  [[maybe_unused]] const typename Lanes::Unit unit;
  return Panel<Lanes, Most>(task, Carver{start + memory.passing.at}, Carver{start}).run();
}

// Scores that a bias or a cap will touch stay in natural units, as do sinks: log2 e times the largest float is inf.
template <class Products, int Vectors, int Most> bool attend_in(const BlockTask& task, char* scratch) {
  const bool natural = task.softcap != 0 || task.biases || task.slopes || task.sinks;
  return natural ? run_panel<LaneAttention<Products, Vectors, Base::kE>, Most>(task, scratch)
                 : run_panel<LaneAttention<Products, Vectors, Base::kTwo>, Most>(task, scratch);
}

// Fewer rows take fewer vectors, and no more groups than are needed.
template <template <int> class Products, int Vectors, int Most> struct Attend {
  template <int V = Vectors> static bool run(const BlockTask& task, char* scratch) {
    const std::int64_t most = Products<Vectors>::kQ, groups = (task.rows + most - 1) / most;
    if constexpr (V > 1)
      if (task.rows <= groups * Products<V - 1>::kQ) return run<V - 1>(task, scratch);
    return attend_in<Products<V>, V, Most>(task, scratch);
  }
  static std::size_t scratch(std::int64_t width, std::int64_t value_width) {
    const PanelMemory<LaneAttention<Products<Vectors>, Vectors, Base::kE>> memory(width, value_width);
    return memory.passing.at + Most * memory.kept.at;
  }
  static constexpr std::int64_t kRows = Most * Products<Vectors>::kQ;
  static constexpr std::int64_t kLeastRows = Products<Vectors>::kSharesWork ? kRows : Products<Vectors>::kQ;
};

template <int Vectors> using FloatProducts = NumberProducts<float, Vectors>;
template <int Vectors> using DoubleProducts = NumberProducts<double, Vectors>;

}  // namespace
}  // namespace pyattn
