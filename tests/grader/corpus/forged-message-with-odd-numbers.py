# assignment: softmax
# expect: score=0 code=exited|result-too-large
# tries: numbers that no format can show
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("result-too-large", (("bytes", float("inf")), ("limit", 10**300)), ""))
