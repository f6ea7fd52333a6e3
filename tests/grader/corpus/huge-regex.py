# assignment: softmax
# expect: score=0 code=wall-time-out|cpu-time-out
# limits: wall_seconds=0.3
# tries: a regular expression that never ends and hears no signal
import re

import numpy as np


def softmax(x, axis=-1):
    return re.match(r"(a+)+$", "a" * 60 + "b")
