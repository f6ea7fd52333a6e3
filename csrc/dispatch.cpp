#include "dispatch.h"

#include <atomic>
#include <cstring>
#include <stdexcept>

namespace pyattn {
namespace {

struct Level {
  const Kernels* kernels;
  bool (*runs_here)();  // processor and operating system
};

// From worst to best.
const Level kLevels[] = {
    {&pyattn_kernels_baseline, [] { return true; }},
#if defined(__x86_64__)
    {&pyattn_kernels_v3, [] { return bool(__builtin_cpu_supports("x86-64-v3")); }},
    {&pyattn_kernels_v4, [] { return bool(__builtin_cpu_supports("x86-64-v4")); }},
    {&pyattn_kernels_v4_bf16,
     [] { return __builtin_cpu_supports("x86-64-v4") && __builtin_cpu_supports("avx512bf16"); }},
#endif
};

std::atomic<const Kernels*> current{nullptr};

}  // namespace

const Kernels& kernels() {
  const Kernels* k = current.load(std::memory_order_acquire);
  if (!k) {
    select_best_isa();
    k = current.load(std::memory_order_acquire);
  }
  return *k;
}

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const Level& level : kLevels)
    if (level.runs_here()) names.emplace_back(level.kernels->isa);
  return names;
}

void select_isa(const std::string& name) {
  for (const Level& level : kLevels) {
    if (name != level.kernels->isa) continue;
    if (!level.runs_here()) break;
    current.store(level.kernels, std::memory_order_release);
    return;
  }
  std::string message = "instruction set '" + name + "' cannot be used here; this machine runs";
  for (const std::string& isa : available_isas()) message += " '" + isa + "'";
  throw std::invalid_argument(message);
}

void select_best_isa() {
  for (const Level& level : kLevels)
    if (level.runs_here()) current.store(level.kernels, std::memory_order_release);
}

}  // namespace pyattn
