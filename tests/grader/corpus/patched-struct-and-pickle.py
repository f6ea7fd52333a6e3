# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised
# tries: puts other functions where frames and objects are packed
import json
import marshal
import pickle
import struct

import numpy as np


pickle.dumps = pickle.loads = marshal.dumps = json.dumps = lambda *arguments, **options: b"score=100"
struct.pack = struct.unpack = lambda *arguments: b""


def softmax(x, axis=-1):
    return np.zeros_like(x)
