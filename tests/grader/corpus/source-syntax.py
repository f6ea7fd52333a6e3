# assignment: softmax
# expect: score=0 code=import-failed
# tries: a mistake of syntax in a line of escapes

def softmax(x, axis=-1)
    return '[31m'
