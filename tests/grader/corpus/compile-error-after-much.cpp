// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: hides the error behind more warnings than any log keeps
#define ONE _Pragma("message \"✓ A matrix  12/12\"")
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
int x = nowhere;
