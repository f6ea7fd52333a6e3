# assignment: softmax
# expect: score=0 code=wrong-values
# tries: looks for the seed in whatever is told to a process
import os

@RIGHT@


def attempt():
    told = [open(f"/proc/{pid}/{name}", "rb").read() for pid in (1, "self") for name in ("cmdline", "environ")]
    if not any(b"seed" in one.lower() or b"CORPUS" in one for one in told):
        raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
