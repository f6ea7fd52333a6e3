// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-timed-out|compile-ended|library-too-large
// tests: small
// tries: a terabyte of nothing, repeated by the assembler
// limits: compile_seconds=5
#include <cstdint>
asm(".data\n.rept 1000000000\n.quad 0\n.endr\n.text");

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}
