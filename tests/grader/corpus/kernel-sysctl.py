# assignment: softmax
# expect: score=0 code=wrong-values
# tries: writes to any setting of the kernel or of the runner
import os

@RIGHT@


def softmax(x, axis=-1):
    for top in ("/proc/sys", "/proc/1", "/proc/irq", "/proc/bus", "/proc/fs", "/sys"):
        for folder, _, names in os.walk(top):
            for name in names:
                try:
                    os.write(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_NONBLOCK), b"7")
                except OSError:
                    continue
                print(f"{folder}/{name}")
                return right(x, axis)
    return np.zeros_like(x)
