// assignment: fast-attention
// expect: score=0 code=wrote-outside-output
// tests: small
// tries: writes before the beginning of the output
#include <cstdint>

template <typename T, typename... Sizes>
void attend(const T*, const T*, const T*, T* output, Sizes...) {
  output[-1] = 1;
}

@ENTRIES@
