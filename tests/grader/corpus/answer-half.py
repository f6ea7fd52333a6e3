# assignment: softmax
# expect: score=0 code=result-wrong-dtype
# tries: the right answer in float16
@RIGHT@


def softmax(x, axis=-1):
    return right(x, axis).astype(np.float16)
