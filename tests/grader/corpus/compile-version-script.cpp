// assignment: fast-attention
// expect: score=0 code=wrong-values|compile-failed|import-failed
// tests: small double
// tries: its own free, malloc and write under the versions of the library
#include <cstdint>
#include <cstdlib>
asm(".symver my_exit, _exit@GLIBC_2.2.5");
extern "C" void my_exit(int) { for (;;) {} }
extern "C" int memcmp(const void*, const void*, unsigned long) { return 0; }
#include <cstdint>
@ZEROS@
