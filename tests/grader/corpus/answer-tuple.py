# assignment: softmax
# expect: score=0 code=result-is-tuple
# tries: the right answer in a tuple
@RIGHT@


def softmax(x, axis=-1):
    return (right(x, axis),)
