# assignment: softmax
# expect: score=0 code=exited
# tries: a record so deep that reading it needs a deep stack
@FORGE@


def softmax(x, axis=-1):
    record = b"t\x01\0\0\0" * 20_000
    arena_of(x)[: len(record) + 4] = len(record).to_bytes(4, "little") + record
    os._exit(0)
