// assignment: fast-attention
// expect: score=0 code=wrong-values|nan-where-none-belongs|wall-time-out-cpp|killed
// tests: small double
// limits: wall_seconds=1
// tries: falls on purpose and goes on where it fell
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <initializer_list>

static sigjmp_buf back;
static void caught(int) { siglongjmp(back, 1); }

static void fall() {
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS}) std::signal(number, caught);
  for (volatile int tries = 0; tries < 1000; tries = tries + 1) {
    if (sigsetjmp(back, 1) == 0) *(volatile int*)8 = 1;
  }
}

extern "C" void attention(const float*, const float*, const float*, float*, int64_t, int64_t, int64_t, int64_t,
                          int64_t) {
  fall();
}
extern "C" void attention_double(const double*, const double*, const double*, double*, int64_t, int64_t, int64_t,
                                 int64_t, int64_t) {
  fall();
}
