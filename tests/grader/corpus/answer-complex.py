# assignment: softmax
# expect: score=0 code=result-wrong-dtype
# tries: complex numbers with a right real part
@RIGHT@


def softmax(x, axis=-1):
    return right(x, axis) + 1j
