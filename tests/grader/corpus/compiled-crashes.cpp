// assignment: fast-attention
// expect: score=0 code=killed
// tests: small
// tries: reads from nowhere
#include <cstdint>

template <typename T, typename... Sizes>
void attend(const T*, const T*, const T*, T* output, Sizes...) {
  output[0] = *(volatile T*)nullptr;
}

@ENTRIES@
