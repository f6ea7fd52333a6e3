// The working memory of a kernel: the caller's one piece, cut into arrays.
#pragma once

#include "simd.h"

namespace pyattn {
namespace {

// Keys that are taken at a time.
constexpr std::int64_t kKeyBlock = 128;

// Cuts aligned arrays off the memory at `at`; started at 0 it only counts.
struct Carver {
  std::uintptr_t at;
  template <class X> X* take(std::int64_t n) {
    X* p = reinterpret_cast<X*>(at);
    at += (std::uintptr_t(n) * sizeof(X) + 63) / 64 * 64;
    return p;
  }
};

template <class T> PYATTN_INLINE T* clear(T* p, std::int64_t n) {
  __builtin_memset(p, 0, std::size_t(n) * sizeof(T));
  return p;
}

}  // namespace
}  // namespace pyattn
