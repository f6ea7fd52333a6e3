# assignment: softmax
# expect: score=0 code=raised
# tries: an error about bytes that no encoding has
def softmax(x, axis=-1):
    raise UnicodeDecodeError("utf-8\ud800", b"\xff" * 100_000, 0, 1, "\x1b]0;owned\x07\u202e\u2028" * 1000)
