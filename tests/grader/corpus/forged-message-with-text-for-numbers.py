# assignment: softmax
# expect: score=0 code=exited|result-too-large
# tries: text where numbers are shown
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("result-too-large", (("bytes", "{limit.__class__}"), ("limit", "%n")), ""))
