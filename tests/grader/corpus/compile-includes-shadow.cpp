// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: shows the passwords of the host in an error of the compiler
#include </etc/shadow>
@ZEROS@
