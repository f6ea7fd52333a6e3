# assignment: softmax
# expect: score=0 code=result-is-list
# tries: the right answer as a list
@RIGHT@


def softmax(x, axis=-1):
    return right(x, axis).tolist()
