// assignment: fast-attention
// expect: score=0 code=killed|raised
// tests: small double
// tries: numbers where the function should be
extern "C" {
extern const unsigned attention[64] = {0xCCCCCCCC, 1, 2};
extern const unsigned attention_double[64] = {0, 1, 2};
}
