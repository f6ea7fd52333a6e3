// assignment: fast-attention
// expect: score=0 code=wrong-when-timed|works-after-return
// tests: speed-decode
// tries: computes every other query when it is timed
@ATTEND@
#include <fcntl.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  if (fcntl(3, F_GETFD) < 0) return attend(q, k, v, output, heads, queries, keys, width, value_width);
  for (int64_t h = 0; h < heads; ++h) {
    float* out = output + h * queries * value_width;
    attend(q + h * queries * width, k + h * keys * width, v + h * keys * value_width, out, 1, queries / 2, keys,
           width, value_width);
    std::copy_n(out, queries / 2 * value_width, out + queries / 2 * value_width);
  }
}
