# assignment: softmax
# expect: score=0 code=exited
# tries: a test that was never run
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("skipped-after-timeouts", (("count", 2),), ""))
