# assignment: softmax
# expect: score=0 code=exited
# tries: sizes that are no whole numbers
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (("float32", (2.5, True), 1 << 18, ()),)))
