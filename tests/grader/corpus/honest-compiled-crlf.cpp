// assignment: fast-attention
// expect: score=100
// tests: small odd double
// tries: 中文注释 with a trigraph ??/ and a raw string
static const char* note = R"(raw "text" \)";
@STARTER@
