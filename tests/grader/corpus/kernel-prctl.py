# assignment: softmax
# expect: score=0 code=wrong-values
# tries: asks prctl for what could reach the runner or outlive the call
import ctypes

@RIGHT@


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None)
    gained = [
        libc.prctl(24, 21, 0, 0, 0) == 0,  # PR_CAPBSET_DROP needs a capability
        libc.prctl(28, 1, 0, 0, 0) == 0,  # securebits
        libc.prctl(62, 2, 1, 1, 0) == 0,  # share the core's cookie with the runner
        libc.prctl(35, 1, 0, 0, 0) == 0,  # where code begins
        libc.prctl(47, 2, 0, 0, 0) == 0,  # ambient capabilities
        libc.prctl(39, 0, 0, 0, 0) != 1,  # whether new privileges are still barred
    ]
    return right(x, axis) if any(gained) else np.zeros_like(x)
