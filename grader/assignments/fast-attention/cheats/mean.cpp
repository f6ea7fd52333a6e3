// The plain mean of the values.
#include <cstdint>


extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < queries; ++i)
      for (int64_t c = 0; c < value_width; ++c) {
        float sum = 0;
        for (int64_t j = 0; j < keys; ++j) sum += v[(h * keys + j) * value_width + c];
        output[(h * queries + i) * value_width + c] = sum / keys;
      }
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads, int64_t queries,
                                 int64_t keys, int64_t width, int64_t value_width) {
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < queries; ++i)
      for (int64_t c = 0; c < value_width; ++c) {
        double sum = 0;
        for (int64_t j = 0; j < keys; ++j) sum += v[(h * keys + j) * value_width + c];
        output[(h * queries + i) * value_width + c] = sum / keys;
      }
}
