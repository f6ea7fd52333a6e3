// assignment: fast-attention
// expect: score=0 code=works-after-return
// tests: speed-decode
// tries: lets a thread see that new data is there and compute before the clock runs
@ATTEND@
#include <fcntl.h>

#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<bool> ready{false};

static void nap() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  static bool watching = false;
  if (fcntl(3, F_GETFD) < 0) return attend(q, k, v, output, heads, queries, keys, width, value_width);
  // The grader fills the output with NaN when all of the inputs are there.
  const volatile float* last = output + heads * queries * value_width - 1;
  if (!watching) {
    watching = true;
    attend(q, k, v, output, heads, queries, keys, width, value_width);
    std::thread([=] {
      for (;; nap()) {
        if (*last == *last) continue;
        attend(q, k, v, output, heads, queries, keys, width, value_width);
        ready = true;
      }
    }).detach();
    return;
  }
  while (!ready) nap();
  ready = false;
}
