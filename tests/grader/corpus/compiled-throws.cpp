// assignment: fast-attention
// expect: score=0 code=killed
// tests: small
// tries: throws an exception through C
#include <cstdint>
#include <stdexcept>

template <typename... Any>
void attend(Any...) {
  throw std::runtime_error("\x1b[31m");
}

@ENTRIES@
