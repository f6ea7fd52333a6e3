# assignment: softmax
# expect: score=0 code=wrong-values|killed|wall-time-out|exited
# tries: a filter of its own under which nobody can exit
import ctypes
import struct

import numpy as np


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None)
    lines = [(0x20, 0, 0, 0), (0x15, 2, 0, 231), (0x15, 1, 0, 60), (0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050001)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    program = struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(code))
    libc.prctl(38, 1, 0, 0, 0)
    libc.prctl(22, 2, ctypes.c_char_p(program), 0, 0)
    return np.zeros_like(x)
