// assignment: fast-attention
// expect: score=100
// tests: small odd double narrow stairs large
// tries: nothing
@STARTER@
