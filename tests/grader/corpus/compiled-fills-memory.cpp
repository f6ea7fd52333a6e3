// assignment: fast-attention
// expect: score=0 code=out-of-memory|killed
// tests: small
// limits: memory_bytes=100663296 wall_seconds=2
// tries: wants all memory
#include <cstdint>
#include <cstdlib>
#include <cstring>

template <typename... Any>
void attend(Any...) {
  for (;;) memset(malloc(1 << 24), 1, 1 << 24);
}

@ENTRIES@
