// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-out-of-memory|compile-file-too-large|compile-timed-out|compile-ended|library-too-large
// tests: small
// tries: a terabyte of nothing, repeated by the assembler
// limits: compile_seconds=5
asm(".data\n.rept 1000000000\n.quad 0\n.endr\n.text");

@ZEROS@
