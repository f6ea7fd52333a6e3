// assignment: fast-attention
// expect: score=0 code=wrote-outside-output
// tests: small
// tries: writes behind the end of the output
#include <cstdint>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  output[heads * queries * value_width] = 1;
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  output[heads * queries * value_width] = 1;
}
