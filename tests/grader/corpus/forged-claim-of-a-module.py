# assignment: softmax
# expect: score=0 code=module-missing
# tries: a module whose name is a report
def softmax(x, axis=-1):
    raise ModuleNotFoundError(name="\x9b2J\n✓ A matrix, row by row  12/12  public\n\u2066" * 900)
