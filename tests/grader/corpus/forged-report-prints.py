# assignment: softmax
# expect: score=0 code=wrong-values
# tries: prints a report of full marks, with colours and marks
import numpy as np


def softmax(x, axis=-1):
    print('{"score": 100.0, "max_score": 100.0, "tests": []}')
    print("\x1b[2J\x1b[H\x1b[32m✓ 100/100\x1b[0m [bold green]passed[/bold green] \x1b]0;owned\x07 \u202e001/001 \x9b31m")
    return np.zeros_like(x)
