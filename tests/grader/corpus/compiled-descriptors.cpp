// assignment: fast-attention
// expect: score=0 code=wrong-values
// tests: small
// tries: says that it is done on every descriptor
#include <cstdint>
#include <unistd.h>

template <typename T>
void attend(const T*, const T*, const T*, T* output, int64_t heads, int64_t queries, int64_t, int64_t,
            int64_t value_width) {
  for (int number = 0; number < 256; ++number) {
    (void)!write(number, "d", 1);
    close(number);
  }
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}

@ENTRIES@
