# assignment: softmax
# expect: score=0 code=function-missing
# tries: another name for the entry point, and odd ones beside it


def Softmax(x, axis=-1):
    return x


globals()['\ud800\x1b[31m'] = globals()['{a.__class__}'] = Softmax
