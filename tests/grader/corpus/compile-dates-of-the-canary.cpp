// assignment: fast-attention
// expect: score=0 code=wrong-values|compile-failed
// tests: small
// tries: asks the preprocessor whether a file of the host is there, and how old it is
#if __has_include("@CANARY@")
#error it is there
#endif
#pragma GCC dependency "@CANARY@"

@ZEROS@
