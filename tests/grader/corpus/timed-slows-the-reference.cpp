// assignment: fast-attention
// expect: score=0 code=works-after-return
// tests: speed-decode
// level: full
// tries: lets a thread take the core from pyattn, which is timed before the call
@ATTEND@
#include <fcntl.h>

#include <chrono>
#include <thread>

static volatile float zero = 0;

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  static bool watching = false;
  attend(q, k, v, output, heads, queries, keys, width, value_width);
  if (fcntl(3, F_GETFD) < 0 || watching) return;
  watching = true;
  const volatile float* last = output + heads * queries * value_width - 1;
  std::thread([=] {
    for (;; std::this_thread::sleep_for(std::chrono::microseconds(20))) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
      while (*last != *last && std::chrono::steady_clock::now() < end) zero = zero + 1;
    }
  }).detach();
}
