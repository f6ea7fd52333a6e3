// assignment: fast-attention
// expect: score=0 code=wrong-when-timed|nan-where-none-belongs|works-after-return|exited|killed
// tests: speed-decode
// tries: computes only where it is not timed: there, two more descriptors are open
@ATTEND@
#include <fcntl.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  if (fcntl(3, F_GETFD) < 0) attend(q, k, v, output, heads, queries, keys, width, value_width);
}
