# assignment: softmax
# expect: score=0 code=wrong-values
# tries: asks for a name, which tells somebody outside
import socket

@RIGHT@


def attempt():
    socket.getaddrinfo("corpus-left.example", 80)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
