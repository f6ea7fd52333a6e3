// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: escape sequences in what the compiler says
#error "[2J[32m100/100 ‮"

@ZEROS@
