// assignment: fast-attention
// expect: score=0 code=wrong-values
// tests: small
// tries: leaves a process when it is loaded
#include <unistd.h>

__attribute__((constructor)) void first() {
  if (fork() == 0) {
    setsid();
    for (;;) pause();
  }
}

@ZEROS@
