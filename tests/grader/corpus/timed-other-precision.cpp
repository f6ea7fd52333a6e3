// assignment: fast-attention
// expect: score=0 code=wrong-when-timed|works-after-return
// tests: speed-decode
// tries: rounds to half of the digits when it is timed
@ATTEND@
#include <cstring>
#include <fcntl.h>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  attend(q, k, v, output, heads, queries, keys, width, value_width);
  if (fcntl(3, F_GETFD) < 0) return;
  for (int64_t i = 0; i < heads * queries * value_width; ++i) {
    uint32_t bits;
    std::memcpy(&bits, output + i, 4);
    bits &= 0xffff0000;
    std::memcpy(output + i, &bits, 4);
  }
}
