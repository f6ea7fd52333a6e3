// assignment: fast-attention
// expect: score=0 code=nan-where-none-belongs|wrong-when-timed
// tests: speed-decode
// limits: run_seconds=20
// tries: answers from a child while the parent says that it is done
@ATTEND@
#include <unistd.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  if (fork()) return;
  attend(q, k, v, output, heads, queries, keys, width, value_width);
  _exit(0);
}
