# assignment: softmax
# expect: score=0 code=function-missing|raised|import-failed
# tries: names that are no text
globals().update({1: print, None: print, b"x": print, ("a",): len, "\ud800": print, "softmax\0": print})
