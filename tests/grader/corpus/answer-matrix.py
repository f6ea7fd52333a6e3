# assignment: softmax
# expect: score=0 code=result-is-matrix
# tries: a matrix of the right numbers
import warnings

@RIGHT@


warnings.simplefilter("ignore")


def softmax(x, axis=-1):
    return np.asmatrix(right(x, axis))
