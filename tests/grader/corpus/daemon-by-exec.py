# assignment: softmax
# expect: score=0 code=wrong-values
# tries: starts another interpreter that lives on
import subprocess
import sys

import numpy as np


def softmax(x, axis=-1):
    subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True, stdin=subprocess.DEVNULL
    )
    return np.zeros_like(x)
