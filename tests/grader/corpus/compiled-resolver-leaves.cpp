// assignment: fast-attention
// expect: score=0 code=exited|killed|import-failed
// tests: small
// tries: ends the process while the library is being linked
#include <cstdint>
#include <unistd.h>
using Function = void();
extern "C" Function* resolve() { _exit(0); }
extern "C" void trap() __attribute__((ifunc("resolve")));
auto* used = &trap;

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}
