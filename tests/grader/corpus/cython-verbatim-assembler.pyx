# assignment: fast-attention
# expect: score=0 code=compile-failed
# tests: small
# tries: lets the assembler include a file of the host
cdef extern from *:
    """
    asm(".section .rodata\\n.global taken\\ntaken: .incbin \\"@CANARY@\\"\\n.previous");
    extern const char taken[];
    """
    const char* taken


def attention(q, k, v):
    print(taken)
    return v


attention_double = attention
