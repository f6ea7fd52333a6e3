# assignment: softmax
# expect: score=0 code=wrong-values
# tries: listens for the other submissions
import socket

@RIGHT@


def attempt():
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    s.listen()


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
