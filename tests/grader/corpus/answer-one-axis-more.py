# assignment: softmax
# expect: score=0 code=wrong-shape
# tries: the right answer with one axis more
@RIGHT@


def softmax(x, axis=-1):
    return right(x, axis)[None]
