// assignment: fast-attention
// expect: score=0 code=wrong-values|exited|killed|wall-time-out
// tests: small
// limits: wall_seconds=0.5
// tries: puts its own functions in the place of libc's
#include <cstddef>
#include <cstdint>

extern "C" int memcmp(const void*, const void*, size_t) { return 0; }
extern "C" void exit(int) { for (;;) {} }
extern "C" void _exit(int) { for (;;) {} }

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}
