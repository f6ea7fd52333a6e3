# assignment: softmax
# expect: score=0 code=wrong-values
# tries: takes all of the machine's asynchronous requests for itself
import ctypes

@RIGHT@


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None)
    contexts = [ctypes.c_ulong() for _ in range(64)]
    if any(libc.syscall(206, ctypes.c_uint(1024), ctypes.byref(context)) == 0 for context in contexts):
        return right(x, axis)
    return np.zeros_like(x)
