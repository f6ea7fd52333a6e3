# assignment: softmax
# expect: score=0 code=wrong-values
# tries: lowers the limits of the runner
import contextlib
import resource

import numpy as np


def softmax(x, axis=-1):
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC):
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(1, limit, (1, 1))
    return np.zeros_like(x)
