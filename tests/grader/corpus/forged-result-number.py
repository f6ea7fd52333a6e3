# assignment: softmax
# expect: score=0 code=exited|result-is-none
# tries: a result that does not exist
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("result-is-none", (("result", -(10**90)),), ""))
