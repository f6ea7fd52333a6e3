# assignment: softmax
# expect: score=0 code=exited
# tries: a record longer than its room
@FORGE@


def softmax(x, axis=-1):
    arena_of(x)[:4] = b"\xff\xff\xff\xff"
    os._exit(0)
