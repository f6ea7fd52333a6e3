# assignment: softmax
# expect: score=100
# tries: form feeds, vim and emacs lines, a backslash at the end of a line

import numpy \
    as np



def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)

# vim: set fileencoding=utf-8 :
# Local Variables:
