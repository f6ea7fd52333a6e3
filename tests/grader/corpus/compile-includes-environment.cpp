// assignment: fast-attention
// expect: score=0 code=compile-failed|wrong-values
// tests: small
// tries: shows the environment of the runner in an error of the compiler
#include "/proc/1/environ"
#include "/proc/self/environ"
@ZEROS@
