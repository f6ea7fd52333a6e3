// assignment: fast-attention
// expect: score=0 code=import-failed|killed|out-of-memory|compile-failed
// tests: small double
// tries: an array of a terabyte
char room[1ull << 40];
__thread char own[1ull << 30];
@STARTER@
