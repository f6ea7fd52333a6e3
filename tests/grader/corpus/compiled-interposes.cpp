// assignment: fast-attention
// expect: score=0 code=wrong-values|exited|killed|wall-time-out-cpp
// tests: small
// limits: wall_seconds=0.5
// tries: puts its own functions in the place of libc's
#include <cstddef>

extern "C" int memcmp(const void*, const void*, size_t) { return 0; }
extern "C" void exit(int) { for (;;) {} }
extern "C" void _exit(int) { for (;;) {} }

@ZEROS@
