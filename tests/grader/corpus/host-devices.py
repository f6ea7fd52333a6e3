# assignment: softmax
# expect: score=0 code=wrong-values
# tries: makes and opens devices
import contextlib
import os

@RIGHT@


def attempt():
    for path in ("/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/fuse", "/dev/net/tun"):
        with contextlib.suppress(FileNotFoundError):
            open(path, "rb")
            return
    os.mknod("/tmp/corpus-left-device", 0o60666, os.makedev(8, 0))


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
