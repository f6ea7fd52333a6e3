// assignment: fast-attention
// expect: score=0 code=exited
// tests: small
// tries: ends when it is loaded, before anything is called
#include <unistd.h>

__attribute__((constructor)) void first() { _exit(0); }

@ZEROS@
