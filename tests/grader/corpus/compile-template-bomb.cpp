// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-ended|compile-timed-out
// tests: small
// limits: compile_seconds=1.5 compile_memory_bytes=268435456
// tries: templates that make two of each
#include <cstdint>

template <int depth, int path> struct Tree {
  static constexpr long value = Tree<depth - 1, 2 * path>::value + Tree<depth - 1, 2 * path + 1>::value;
};
template <int path> struct Tree<0, path> { static constexpr long value = path; };
long bomb = Tree<26, 1>::value;

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}
