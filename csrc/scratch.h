// Working memory of a thread, kept from call to call.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace pyattn {

// At least `bytes` bytes on a cache line, valid until this thread's next call.
inline char* thread_scratch(std::size_t bytes) {
  constexpr std::align_val_t kLine{64};
  struct Free {
    void operator()(char* p) const { ::operator delete[](p, kLine); }
  };
  thread_local std::unique_ptr<char[], Free> memory;
  thread_local std::size_t size = 0;
  if (bytes > size) {
    size = 0;
    memory.reset();
    memory.reset(static_cast<char*>(::operator new[](bytes, kLine)));
    size = bytes;
  }
  return memory.get();
}

}  // namespace pyattn
