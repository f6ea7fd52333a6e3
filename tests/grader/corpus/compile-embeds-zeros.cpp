// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-out-of-memory|compile-file-too-large|compile-ended|compile-timed-out
// tests: small
// limits: compile_seconds=1.5 compile_memory_bytes=268435456
// tries: a library without end
asm(".data\n.incbin \"/dev/zero\"\n.text");

@ZEROS@
