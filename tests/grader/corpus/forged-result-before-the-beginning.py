# assignment: softmax
# expect: score=0 code=exited
# tries: a result before the memory begins
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (("float32", (5, 7), -4096, ()),)))
