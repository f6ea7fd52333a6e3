// assignment: fast-attention
// expect: score=0 code=exited
// tests: small
// tries: ends with success
#include <cstdint>
#include <unistd.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  _exit(0);
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  _exit(0);
}
