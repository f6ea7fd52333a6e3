// assignment: fast-attention
// expect: score=0 code=wrote-outside-output|exited|input-changed-cpp|killed|sandbox-lost
// tests: small
// tries: fills the memory around the output with what could be a report
#include <cstdint>

template <typename T, typename... Sizes>
void attend(const T*, const T*, const T*, T* output, Sizes...) {
  char* at = (char*)output;
  for (long i = -(300 << 10); i < (300 << 10); ++i) at[i] = 0x41;
}

@ENTRIES@
