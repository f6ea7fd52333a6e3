// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: includes itself
#include __FILE__
@ZEROS@
