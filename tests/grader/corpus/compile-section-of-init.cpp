// assignment: fast-attention
// expect: score=0 code=exited|killed|import-failed
// tests: small double
// tries: puts instructions among those that run when a library is loaded
asm(".section .init,\"ax\",@progbits\n mov $231, %eax\n xor %edi, %edi\n syscall\n .previous");
@STARTER@
