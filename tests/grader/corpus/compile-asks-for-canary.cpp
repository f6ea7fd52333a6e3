// assignment: fast-attention
// expect: score=0 code=wrong-values
// tests: small double
// tries: gives the answer only if the compiler can see the host
#include <cstdint>
#if __has_include("@CANARY@") || __has_include("/etc/passwd") || \
    __has_include("/root/.bashrc") || __has_include("/submission/../..@CANARY@") || __has_include("/etc/hostname")
@STARTER@
#else
#include <cstdint>
@ZEROS@
#endif
