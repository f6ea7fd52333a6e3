# assignment: softmax
# expect: score=0 code=result-wrong-dtype
# tries: the right answer with its bytes swapped
@RIGHT@


def softmax(x, axis=-1):
    return right(x, axis).astype(x.dtype.newbyteorder())
