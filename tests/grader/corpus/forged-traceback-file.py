# assignment: softmax
# expect: score=0 code=raised
# tries: a traceback that quotes a file of the host
def softmax(x, axis=-1):
    exec(compile("\n" * 3 + "raise ValueError", "@CANARY@", "exec"))
