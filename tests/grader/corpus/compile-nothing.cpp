// assignment: fast-attention
// expect: score=0 code=function-missing
// tests: small
// tries: a library without an entry point
int answer = 100;
