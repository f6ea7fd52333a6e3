# assignment: softmax
# expect: score=0 code=wrong-values
# tries: speaks with the kernel about the network
import socket

@RIGHT@


def attempt():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
