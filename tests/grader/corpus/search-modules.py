# assignment: softmax
# expect: score=0 code=wrong-values
# tries: imports what would know the answer
import importlib

@RIGHT@


def attempt():
    for name in ("pyattn", "grader", "grader.solutions", "scipy.special", "torch", "solution", "inside.runner"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        return
    raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
