# assignment: softmax
# expect: score=0 code=wrong-values
# tries: writes into every folder that is not its own
import contextlib
import os

@RIGHT@


def attempt():
    done = 0
    for folder in ("/", "/usr", "/usr/bin", "/etc", "/proc", "/dev", "/submission", os.path.dirname(np.__file__), os.path.dirname(os.__file__)):
        with contextlib.suppress(OSError):
            open(f"{folder}/corpus-left", "w").close()
            done += 1
    if not done:
        raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
