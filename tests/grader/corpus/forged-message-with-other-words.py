# assignment: softmax
# expect: score=0 code=exited|raised
# tries: a message with words that it has no room for
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("raised", (("type", 1.5), ("text", float("nan")), ("__class__", "x")), ""))
