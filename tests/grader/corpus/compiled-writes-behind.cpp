// assignment: fast-attention
// expect: score=0 code=wrote-outside-output
// tests: small
// tries: writes behind the end of the output
#include <cstdint>

template <typename T>
void attend(const T*, const T*, const T*, T* output, int64_t heads, int64_t queries, int64_t, int64_t,
            int64_t value_width) {
  output[heads * queries * value_width] = 1;
}

@ENTRIES@
