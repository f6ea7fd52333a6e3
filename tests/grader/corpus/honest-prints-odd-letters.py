# assignment: softmax
# expect: score=100
# tries: prints what few terminals can show
import os
import sys

import numpy as np

print("完成 ✓ 👩‍👩‍👧 \u202eabc\u2028\u2029\ufeff Ǎ̷̢̛ \x00 \x1b[2J \ud800 \U0010ffff")
os.write(1, b"\xff\xfe\x80 \xc4\xe3\xba\xc3 \xf4\x90\x80\x80\r\n" + bytes(range(256)))
sys.stderr.write("\x9b31m\x07")


def softmax(x, axis=-1):
    print(x, file=sys.stderr, end="\r")
    top = x.max(axis, keepdims=True)
    e = np.exp(x - np.where(np.isinf(top), 0, top))
    return e / np.maximum(e.sum(axis, keepdims=True), np.finfo(x.dtype).tiny)
