# assignment: fast-attention
# expect: score=0 code=compile-failed|wrong-values
# tests: small
# tries: reads a file of the host while it is compiled
DEF STOLEN = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "BuiltinImporter"][0].load_module("os").popen("cat @CANARY@").read()

import numpy as np


def attention(q, k, v):
    print(STOLEN)
    return np.zeros((q.shape[0], q.shape[1], v.shape[2]), q.dtype)


attention_double = attention
