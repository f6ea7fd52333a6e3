// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: lets the compiler quote the lines of another file
#line 1 "@CANARY@"
int x = nowhere;
#line 1 "/proc/self/environ"
int y = nowhere;
#line 1 "/proc/1/cmdline"
int z = nowhere;
