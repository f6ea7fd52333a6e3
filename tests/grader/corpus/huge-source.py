# assignment: softmax
# expect: score=0 code=import-failed|killed|out-of-memory
# tries: source that is nested deeper than a parser can go
import numpy as np


exec("x = " + "(" * 200_000 + ")" * 200_000)
