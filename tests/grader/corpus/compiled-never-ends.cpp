// assignment: fast-attention
// expect: score=0 code=wall-time-out|cpu-time-out
// tests: small
// limits: wall_seconds=0.5
// tries: never ends
#include <cstdint>
#include <csignal>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  for (volatile int i = 0;; i = i + 1) {}
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  for (volatile int i = 0;; i = i + 1) {}
}
