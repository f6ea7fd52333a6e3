// assignment: fast-attention
// expect: score=0 code=wall-time-out-cpp|cpu-time-out
// tests: small
// limits: wall_seconds=0.5
// tries: never ends
#include <cstdint>
#include <csignal>

template <typename... Any>
void attend(Any...) {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  for (volatile int i = 0;; i = i + 1) {}
}

@ENTRIES@
