#include "dispatch.h"

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <atomic>
#include <cstring>
#include <stdexcept>

namespace pyattn {
namespace {

struct Level {
  const Kernels* kernels;
  bool (*runs_here)();  // processor and operating system
};

#if defined(__x86_64__)
// Linux keeps room for the tile registers of a process that asks for it, if there is room in its threads' signal stacks.
bool tiles_are_granted() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  static const bool granted = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return granted;
}

bool runs_v4() { return __builtin_cpu_supports("x86-64-v4"); }
bool runs_v4_bf16() { return runs_v4() && __builtin_cpu_supports("avx512bf16"); }
bool runs_v4_amx() {
  return runs_v4_bf16() && __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-bf16") &&
         tiles_are_granted();
}
#endif

// From worst to best.
const Level kLevels[] = {
    {&pyattn_kernels_baseline, [] { return true; }},
#if defined(__x86_64__)
    {&pyattn_kernels_v3, [] { return bool(__builtin_cpu_supports("x86-64-v3")); }},
#if !defined(PYATTN_WITHOUT_V4)
    {&pyattn_kernels_v4, runs_v4},
#endif
    {&pyattn_kernels_v4_bf16, runs_v4_bf16},
    {&pyattn_kernels_v4_amx, runs_v4_amx},
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
