# assignment: online-softmax
# expect: score=0 code=wrong-values|too-much-memory|out-of-memory|raised|killed
# tests: rest memory
# tries: reads many files in one call, whose room in the cache is its own in the next
import os

import numpy as np

FOLDERS = ("/usr/lib/x86_64-linux-gnu", os.path.dirname(os.__file__), "/packages", "/lib/x86_64-linux-gnu")


def read_everything(most):
    for top in FOLDERS:
        for folder, _, names in os.walk(top):
            for name in names:
                try:
                    file = os.open(f"{folder}/{name}", os.O_RDONLY)
                except OSError:
                    continue
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                while chunk := os.read(file, 1 << 20):
                    most -= len(chunk)
                os.close(file)
                if most < 0:
                    return


def blocked_attention(q, k, v, block):
    if len(q) < 1000:
        read_everything(100 << 20)
        return np.zeros((len(q), v.shape[1]), q.dtype)
    s = q @ k.T
    s /= np.sqrt(np.float32(q.shape[1]))
    s -= s.max(1, keepdims=True)
    np.exp(s, out=s)
    return s @ v / s.sum(1, keepdims=True)
