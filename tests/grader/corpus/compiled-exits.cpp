// assignment: fast-attention
// expect: score=0 code=exited
// tests: small
// tries: ends with success
#include <cstdint>
#include <unistd.h>

template <typename... Any>
void attend(Any...) {
  _exit(0);
}

@ENTRIES@
