# assignment: softmax
# expect: score=0 code=exited
# tries: the report of a success that has no results
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", ()))
