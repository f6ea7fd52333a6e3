# assignment: fast-attention
# expect: score=100
# tests: small odd double
# tries: nothing
@STARTER@
