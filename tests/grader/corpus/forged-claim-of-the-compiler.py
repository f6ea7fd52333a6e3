# assignment: softmax
# expect: score=0 code=compile-failed
# tries: claims what only a build says, in words that turn the terminal
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("compile-failed", (("command", "\x1b[2J\u202e"), ("code", 0), ("text", "\n✓ A matrix  12/12  public")), ""))
