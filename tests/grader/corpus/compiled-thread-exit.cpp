// assignment: fast-attention
// expect: score=0 code=exited|killed|wall-time-out-cpp
// tests: small double
// limits: wall_seconds=2
// tries: ends its thread and not its process
#include <pthread.h>

#include <cstdint>

extern "C" void attention(const float*, const float*, const float*, float* output, int64_t heads, int64_t queries,
                          int64_t, int64_t, int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
  pthread_exit(nullptr);
}
extern "C" void attention_double(const double*, const double*, const double*, double*, int64_t, int64_t, int64_t,
                                 int64_t, int64_t) {
  pthread_exit(nullptr);
}
