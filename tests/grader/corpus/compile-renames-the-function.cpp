// assignment: fast-attention
// expect: score=0 code=function-not-in-library
// tests: small double
// tries: a macro under which the functions get other names
#define attention attention_of_mine
#define attention_double double_of_mine
@STARTER@
