// assignment: fast-attention
// expect: score=0 code=function-not-extern-c
// tests: small
// tries: an entry point that only C++ can find
#include <cstdint>
void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  output[0] = 0;
}
