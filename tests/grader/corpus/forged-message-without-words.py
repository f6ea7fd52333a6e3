# assignment: softmax
# expect: score=0 code=exited|raised
# tries: a message with nothing to fill in
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("raised", (), ""))
