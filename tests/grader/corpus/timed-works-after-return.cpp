// assignment: fast-attention
// expect: score=0 code=works-after-return|wrong-when-timed|nan-where-none-belongs
// tests: speed-decode
// tries: returns at once and lets a thread compute
@ATTEND@
#include <fcntl.h>
#include <thread>

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  if (fcntl(3, F_GETFD) < 0) return attend(q, k, v, output, heads, queries, keys, width, value_width);
  std::thread([=] { attend(q, k, v, output, heads, queries, keys, width, value_width); }).detach();
}
