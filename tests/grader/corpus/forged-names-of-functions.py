# assignment: softmax
# expect: score=0 code=function-missing
# tries: functions whose names are escapes and lines of a report
for number in range(3000):
    globals()[f"\x1b[31m\u202e\n✓ {number}"] = len
