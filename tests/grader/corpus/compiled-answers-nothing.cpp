// assignment: fast-attention
// expect: score=0 code=nan-where-none-belongs
// tests: small
// tries: leaves the output as it was
#include <cstdint>

template <typename... Any>
void attend(Any...) {}

@ENTRIES@
