# assignment: softmax
# expect: score=0 code=wrote-outside-output|input-changed
# tries: answers rightly and writes beyond the end of the input
import ctypes

@RIGHT@


def softmax(x, axis=-1):
    ctypes.memset(x.ctypes.data + x.nbytes, 0, 64)
    return right(x, axis)
