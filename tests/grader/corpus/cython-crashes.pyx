# assignment: fast-attention
# expect: score=0 code=killed
# tests: small
# tries: writes to nowhere without the interpreter
def attention(q, k, v):
    cdef int* nowhere = NULL
    with nogil:
        nowhere[0] = 1


attention_double = attention
