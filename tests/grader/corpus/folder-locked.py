# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves folders that nobody may enter, and names that are no text
import os

import numpy as np


def softmax(x, axis=-1):
    os.makedirs("/tmp/corpus-left/a/b")
    os.mkfifo("/tmp/corpus-left/pipe")
    open(b"/tmp/corpus-left/\xff\n\x1b[31m", "w").close()
    os.chmod("/tmp/corpus-left/a", 0)
    os.chmod("/tmp/corpus-left", 0)
    os.chmod("/tmp", 0)
    return np.zeros_like(x)
