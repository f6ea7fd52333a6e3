# assignment: softmax
# expect: score=0 code=import-failed
# tries: tabs and spaces mixed

def softmax(x, axis=-1):
	if True:
        return x
