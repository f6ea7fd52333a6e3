# assignment: softmax
# expect: score=0 code=raised|exited
# tries: an error of a missing module that is none
class Odd(ModuleNotFoundError):
    @property
    def name(self):
        raise SystemExit(0)


def softmax(x, axis=-1):
    raise Odd("x")
