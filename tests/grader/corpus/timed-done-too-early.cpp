// assignment: fast-attention
// expect: score=0 code=wrong-when-timed|no-answer
// tests: speed-decode
// tries: says that it is done before it begins
@ATTEND@
#include <unistd.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  (void)!write(4, "d", 1);
  attend(q, k, v, output, heads, queries, keys, width, value_width);
}
