# assignment: softmax
# expect: score=0 code=wrong-values
# tries: listens where other processes of the host could call
import socket

@RIGHT@


def attempt():
    s = socket.socket(socket.AF_UNIX)
    s.bind("\0corpus-left")
    s.listen()


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
