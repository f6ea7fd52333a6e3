# assignment: softmax
# expect: score=0 code=exited
# tries: a fault of the grader's own, which costs no points
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("grader-error", "raised", (("type", "E"), ("text", "x")), ""))
