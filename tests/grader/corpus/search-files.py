# assignment: softmax
# expect: score=0 code=wrong-values
# tries: looks for the solution in every folder
import os

@RIGHT@


def attempt():
    for folder, _, names in os.walk("/"):
        if folder.startswith(("/proc", "/sys")):
            continue
        if {"solution.py", "assignment.toml", "canary"} & set(names):
            return
    raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
