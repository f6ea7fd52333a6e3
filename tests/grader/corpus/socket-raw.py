# assignment: softmax
# expect: score=0 code=wrong-values
# tries: sends packets by hand
import socket

@RIGHT@


def attempt():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
