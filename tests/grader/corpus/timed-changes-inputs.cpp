// assignment: fast-attention
// expect: score=0 code=input-changed-cpp|works-after-return
// tests: speed-decode
// tries: spoils the inputs of timed calls only
@ATTEND@
#include <fcntl.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  attend(q, k, v, output, heads, queries, keys, width, value_width);
  if (fcntl(3, F_GETFD) >= 0) ((float*)q)[0] += 1;
}
