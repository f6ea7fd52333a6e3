#include <cstdint>

template <typename T>
void attend(const T*, const T*, const T*, T* output, int64_t heads, int64_t queries, int64_t, int64_t,
            int64_t value_width) {
  for (int64_t i = 0; i < heads * queries * value_width; ++i) output[i] = 0;
}

@ENTRIES@
