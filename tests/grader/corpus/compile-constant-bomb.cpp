// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-ended|compile-timed-out
// tests: small
// limits: compile_seconds=1.5 compile_memory_bytes=268435456
// tries: a constant that takes for ever
#include <cstdint>

constexpr long spin() {
  long sum = 0;
  for (long i = 0; i < 200'000; ++i) for (long j = 0; j < 200'000; ++j) sum += i ^ j;
  return sum;
}
constexpr long bomb = spin();

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}
