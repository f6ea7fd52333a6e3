# assignment: softmax
# expect: score=0 code=exited
# tries: the message of a fault of the grader's own
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("grader-error", (("text", "x"),), ""))
