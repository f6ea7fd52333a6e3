// assignment: fast-attention
// expect: score=100
// tests: small double
// tries: a thread for every head, joined
@ATTEND@
#include <thread>
extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads,
                          int64_t queries, int64_t keys, int64_t width, int64_t value_width) {
  std::vector<std::thread> threads;
  for (int64_t h = 0; h < heads; ++h)
    threads.emplace_back([=] {
      attend(q + h * queries * width, k + h * keys * width, v + h * keys * value_width,
             output + h * queries * value_width, 1, queries, keys, width, value_width);
    });
  for (auto& thread : threads) thread.join();
}

extern "C" void attention_double(const double* q, const double* k, const double* v, double* output, int64_t heads,
                                 int64_t queries, int64_t keys, int64_t width, int64_t value_width) {
  std::vector<std::thread> threads;
  for (int64_t h = 0; h < heads; ++h)
    threads.emplace_back([=] {
      attend(q + h * queries * width, k + h * keys * width, v + h * keys * value_width,
             output + h * queries * value_width, 1, queries, keys, width, value_width);
    });
  for (auto& thread : threads) thread.join();
}
