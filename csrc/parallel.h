// The only place with threads: parallel_for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace pyattn {

// How many threads are worth waking up for so many products: with fewer than this for each, one is done before another
// has begun.
inline int threads_for(double products, int most) {
  constexpr double kPerThread = 1e6;
  return int(std::clamp(products / kPerThread, 1.0, double(std::max(1, most))));
}

void run_parallel(std::int64_t n, int threads, void (*call)(void*, std::int64_t), void* what);

// Calls fn(0) … fn(n − 1), each once, by up to `threads` threads; the first exception comes out again.
template <class F> void parallel_for(std::int64_t n, int threads, F&& fn) {
  using Fn = std::remove_reference_t<F>;
  run_parallel(
      n, threads, [](void* what, std::int64_t i) { (*static_cast<Fn*>(what))(i); },
      const_cast<void*>(static_cast<const void*>(&fn)));
}

}  // namespace pyattn
