// assignment: fast-attention
// expect: score=0 code=wall-time-out-cpp|cpu-time-out
// tests: speed-decode
// limits: wall_seconds=1.5
// tries: never comes back from the second timed call
@ATTEND@
#include <fcntl.h>
#include <unistd.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  static int calls = 0;
  attend(q, k, v, output, heads, queries, keys, width, value_width);
  if (fcntl(3, F_GETFD) >= 0 && ++calls == 2) for (;;) pause();
}
