// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: puts a file of the host into the library
asm(".data\n.global stolen\nstolen: .incbin \"@CANARY@\"\n.text");

@ZEROS@
