// assignment: fast-attention
// expect: score=0 code=exited|works-after-return|killed
// tests: speed-decode
// tries: ends in the middle of the timed calls
@ATTEND@
#include <fcntl.h>
#include <unistd.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  static int calls = 0;
  attend(q, k, v, output, heads, queries, keys, width, value_width);
  if (fcntl(3, F_GETFD) >= 0 && ++calls == 3) _exit(0);
}
