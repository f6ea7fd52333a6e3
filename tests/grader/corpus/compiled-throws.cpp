// assignment: fast-attention
// expect: score=0 code=killed
// tests: small
// tries: throws an exception through C
#include <cstdint>
#include <stdexcept>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  throw std::runtime_error("\x1b[31m");
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  throw std::runtime_error("\x1b[31m");
}
