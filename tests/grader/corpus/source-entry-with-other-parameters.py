# assignment: softmax
# expect: score=0 code=function-wrong-parameters
# tries: an entry point with other parameters


def softmax(matrix, *, dim):
    return matrix
