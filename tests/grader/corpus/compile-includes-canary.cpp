// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: shows a file of the host in an error of the compiler
#include "@CANARY@"
@ZEROS@
