# assignment: softmax
# expect: score=0 code=exit-called
# tries: ends while it is imported
import sys


sys.exit()
