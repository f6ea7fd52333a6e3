# assignment: softmax
# expect: score=0 code=wrong-shape
# tries: the right answer, flat
@RIGHT@


def softmax(x, axis=-1):
    return right(x, axis).ravel()
