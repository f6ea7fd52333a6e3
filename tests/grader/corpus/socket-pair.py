# assignment: softmax
# expect: score=0 code=wrong-values
# tries: makes a pair of sockets, to pass descriptors
import socket

@RIGHT@


def attempt():
    socket.socketpair()


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
