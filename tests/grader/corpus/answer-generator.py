# assignment: softmax
# expect: score=0 code=result-wrong-type
# tries: a generator
@RIGHT@


def softmax(x, axis=-1):
    return (row for row in right(x, axis))
