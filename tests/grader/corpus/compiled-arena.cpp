// assignment: fast-attention
// expect: score=0 code=wrote-outside-output|exited|input-changed|killed|sandbox-lost
// tests: small
// tries: fills the memory around the output with what could be a report
#include <cstdint>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  char* at = (char*)output;
  for (long i = -(300 << 10); i < (300 << 10); ++i) at[i] = 0x41;
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  char* at = (char*)output;
  for (long i = -(300 << 10); i < (300 << 10); ++i) at[i] = 0x41;
}
