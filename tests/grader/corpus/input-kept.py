# assignment: softmax
# expect: score=0 code=wrong-values
# tries: keeps the inputs of one call to find the answer in the next
@RIGHT@


KEPT = []


def softmax(x, axis=-1):
    KEPT.append(x)
    if len(KEPT) > 1:
        return right(KEPT[0], axis)
    return np.zeros_like(x)
