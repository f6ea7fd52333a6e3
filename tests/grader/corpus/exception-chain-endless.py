# assignment: softmax
# expect: score=0 code=raised|exited|killed|out-of-memory|wall-time-out|cpu-time-out
# limits: wall_seconds=2
# tries: causes that go round, and a hundred thousand contexts
def softmax(x, axis=-1):
    errors = [ValueError(str(n)) for n in range(100000)]
    for one, other in zip(errors, errors[1:]):
        one.__context__ = other
    errors[-1].__cause__ = errors[0]
    raise errors[0]
