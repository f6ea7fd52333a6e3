// assignment: fast-attention
// expect: score=0 code=exited|wrong-values|killed
// tests: small
// tries: becomes a shell
#include <cstdint>
#include <unistd.h>

template <typename... Any>
void attend(Any...) {
  execl("/bin/sh", "sh", "-c", "exit 0", (char*)nullptr);
  _exit(0);
}

@ENTRIES@
