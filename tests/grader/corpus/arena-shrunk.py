# assignment: softmax
# expect: score=0 code=wrong-values
# tries: cuts the shared memory, so that whoever reads it falls
@FORGE@


def softmax(x, axis=-1):
    for attempt in (lambda: arena_of(x).resize(4096), lambda: os.truncate("/proc/self/map_files/0-1", 0)):
        try:
            attempt()
        except (OSError, SystemError, ValueError, BufferError):
            continue
        return None
    return np.zeros_like(x)
