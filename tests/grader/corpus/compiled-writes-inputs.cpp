// assignment: fast-attention
// expect: score=0 code=wrong-values
// tests: small
// tries: changes the inputs so that zeros are right
#include <cstdint>

template <typename T>
void attend(const T*, const T*, const T* v, T* output, int64_t heads, int64_t queries, int64_t keys, int64_t,
            int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
  for (int64_t i = 0; i < heads * keys * value_width; ++i) ((T*)v)[i] = 0;
}

@ENTRIES@
