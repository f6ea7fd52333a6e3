// assignment: fast-attention
// expect: score=0 code=out-of-memory|killed
// tests: small
// limits: memory_bytes=100663296 wall_seconds=2
// tries: wants all memory
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (;;) memset(malloc(1 << 24), 1, 1 << 24);
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (;;) memset(malloc(1 << 24), 1, 1 << 24);
}
