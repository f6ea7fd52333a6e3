# assignment: softmax
# expect: score=0 code=exited|wrong-values
# tries: a result that lies where the inputs are
@FORGE@


def softmax(x, axis=-1):
    at = x.__array_interface__['data'][0] - np.frombuffer(arena_of(x), np.uint8).__array_interface__['data'][0]
    forge(x, ("ok", (("float32", x.shape, at, ()),)))
