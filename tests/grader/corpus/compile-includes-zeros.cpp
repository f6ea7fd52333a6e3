// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-out-of-memory|compile-file-too-large|compile-ended|compile-timed-out|wrong-values
// tests: small
// limits: compile_seconds=1.5 compile_memory_bytes=268435456
// tries: a header without end, which is empty where there is no memory limit for such files
#include "/dev/zero"
@ZEROS@
