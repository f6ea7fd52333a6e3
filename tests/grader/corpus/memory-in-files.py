# assignment: online-softmax
# expect: score=0 code=too-much-memory|out-of-memory|raised|killed|file-too-large
# tests: memory
# tries: keeps the scores in files of its folder for temporary files
import numpy as np


def blocked_attention(q, k, v, block):
    parts = []
    for number, rows in enumerate(np.array_split(q, 4)):
        s = np.memmap(f"/tmp/scores{number}", q.dtype, "w+", shape=(len(rows), len(k)))
        np.matmul(rows, k.T, out=s)
        s /= np.sqrt(q.shape[1])
        parts.append(s)
    return np.concatenate([np.exp(s - s.max(1, keepdims=True)) @ v for s in parts])
