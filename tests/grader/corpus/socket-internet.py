# assignment: softmax
# expect: score=0 code=wrong-values
# tries: calls a host of the internet
import socket

@RIGHT@


def attempt():
    socket.create_connection(("192.0.2.1", 80), 0.2)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
