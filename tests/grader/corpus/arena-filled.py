# assignment: softmax
# expect: score=0 code=exited|input-changed|wrong-outside-output|wrote-outside-output|sandbox-lost
# tries: fills all of the shared memory, what it does not own included
@FORGE@


def softmax(x, axis=-1):
    arena = arena_of(x)
    for at in range(0, len(arena), 1 << 20):
        arena[at : at + (1 << 20)] = b"\x41" * min(1 << 20, len(arena) - at)
    os._exit(0)
