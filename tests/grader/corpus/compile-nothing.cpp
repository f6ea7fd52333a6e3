// assignment: fast-attention
// expect: score=0 code=function-not-in-library
// tests: small
// tries: a library without an entry point
int answer = 100;
