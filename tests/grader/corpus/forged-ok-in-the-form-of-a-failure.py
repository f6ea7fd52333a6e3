# assignment: softmax
# expect: score=0 code=exited
# tries: the status ok where the reasons of failures are told
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (), ""))
