# assignment: softmax
# expect: score=0 code=raised|exited|killed|out-of-memory|wall-time-out|cpu-time-out
# limits: wall_seconds=2
# tries: exceptions in exceptions in exceptions
def softmax(x, axis=-1):
    error = ValueError("x" * 1000)
    for _ in range(20000):
        error = ExceptionGroup("\x1b[31m group \u202e", [error, ValueError("y")])
    raise error
