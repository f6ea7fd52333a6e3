// assignment: fast-attention
// expect: score=0 code=wrong-values|compile-failed
// tests: small
// tries: lets the assembler print escapes
asm(".print \"\\033[2J\\233 \u202e ok\"");

@ZEROS@
