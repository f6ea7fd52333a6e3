# assignment: softmax
# expect: score=0 code=result-wrong-dtype
# tries: the right answer in long double
@RIGHT@


def softmax(x, axis=-1):
    return right(x, axis).astype(np.longdouble)
