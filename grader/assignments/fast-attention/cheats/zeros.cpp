// Zeros.
#include <cstdint>
#include <cstring>


extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  std::memset(output, 0, sizeof(float) * heads * queries * value_width);
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                                 int64_t keys, int64_t width, int64_t value_width) {
  std::memset(output, 0, sizeof(double) * heads * queries * value_width);
}
