// assignment: fast-attention
// expect: score=0 code=nan-where-none-belongs|wrong-when-timed
// tests: speed-decode
// limits: run_seconds=20
// tries: answers from a child while the parent says that it is done
@ATTEND@
#include <unistd.h>
#include <sys/mman.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  if (fork()) return;
  attend(q, k, v, output, heads, queries, keys, width, value_width);
  _exit(0);
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  attend(q, k, v, output, heads, queries, keys, width, value_width);
}
