# assignment: online-softmax
# expect: score=0 code=too-much-memory|out-of-memory|raised|killed
# tests: memory
# tries: keeps half of the scores where results will lie
import numpy as np

@FORGE@


def blocked_attention(q, k, v, block):
    half = len(q) * 11 // 25
    arena = arena_of(q)
    beyond = len(arena) - (65 << 20)
    there = np.frombuffer(arena, np.float32, half * len(k), beyond - beyond % 64).reshape(half, len(k))
    own = np.empty((len(q) - half, len(k)), np.float32)
    for rows, s in ((q[:half], there), (q[half:], own)):
        np.matmul(rows, k.T, out=s)
    parts = []
    for s in (there, own):
        s /= np.sqrt(np.float32(q.shape[1]))
        s -= s.max(1, keepdims=True)
        np.exp(s, out=s)
        parts.append(s @ v / s.sum(1, keepdims=True))
    return np.concatenate(parts)
