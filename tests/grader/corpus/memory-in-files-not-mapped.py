# assignment: online-softmax
# expect: score=0 code=too-much-memory|out-of-memory|raised|killed
# tests: memory
# tries: writes most of the scores to files and maps none of them
import numpy as np


def blocked_attention(q, k, v, block):
    parts, left = [], len(q)
    files = [open("/tmp/scores", "w+b", 0), open("/dev/shm/scores", "w+b", 0)]
    plan = [(files[0], 62 << 20), (files[1], 15 << 20)]
    spans, start = [], 0
    for file, room in plan:
        rows = room // (4 * len(k))
        for at in range(start, start + rows, 64):
            file.write((q[at : min(at + 64, start + rows)] @ k.T).astype(np.float32).tobytes())
        spans.append((file, start, start + rows))
        start += rows
    own = q[start:] @ k.T
    out = []
    for file, low, high in spans:
        file.seek(0)
        for at in range(low, high, 64):
            rows = min(64, high - at)
            s = np.frombuffer(file.read(rows * len(k) * 4), np.float32).reshape(rows, -1) / np.sqrt(np.float32(q.shape[1]))
            p = np.exp(s - s.max(1, keepdims=True))
            out.append(p @ v / p.sum(1, keepdims=True))
    own /= np.sqrt(np.float32(q.shape[1]))
    own -= own.max(1, keepdims=True)
    np.exp(own, out=own)
    return np.concatenate([*out, own @ v / own.sum(1, keepdims=True)])
