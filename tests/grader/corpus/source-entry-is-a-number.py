# assignment: softmax
# expect: score=0 code=function-not-callable
# tries: an entry point that is a number

softmax = 100
