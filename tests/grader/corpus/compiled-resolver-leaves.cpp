// assignment: fast-attention
// expect: score=0 code=exited|killed|import-failed
// tests: small
// tries: ends the process while the library is being linked
#include <unistd.h>
using Function = void();
extern "C" Function* resolve() { _exit(0); }
extern "C" void trap() __attribute__((ifunc("resolve")));
auto* used = &trap;

@ZEROS@
