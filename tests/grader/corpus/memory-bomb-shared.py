# assignment: softmax
# expect: score=0 code=out-of-memory|killed|raised
# limits: memory_bytes=100663296 wall_seconds=3
# tries: hides its memory in mappings shared by several processes
import mmap
import os
import time

import numpy as np


def softmax(x, axis=-1):
    for _ in range(2):
        os.fork()
    memory = mmap.mmap(-1, 1 << 28)
    for at in range(0, 1 << 28, 4096):
        memory[at] = 1
    time.sleep(60)
