// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: lets the assembler quote a file of the host in its errors
asm(".include \"@CANARY@\"");

@ZEROS@
