// Working memory, on a cache line.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace pyattn {

constexpr std::align_val_t kCacheLine{64};
struct FreeScratch {
  void operator()(char* p) const { ::operator delete[](p, kCacheLine); }
};
using Scratch = std::unique_ptr<char[], FreeScratch>;

inline Scratch new_scratch(std::size_t bytes) {
  return Scratch(static_cast<char*>(::operator new[](bytes, kCacheLine)));
}

// At least `bytes` bytes, kept from call to call and valid until this thread's next call.
inline char* thread_scratch(std::size_t bytes) {
  thread_local Scratch memory;
  thread_local std::size_t size = 0;
  if (bytes > size) {
    size = 0;
    memory.reset();  // before its successor is there: both at once may be too much
    memory = new_scratch(bytes);
    size = bytes;
  }
  return memory.get();
}

}  // namespace pyattn
