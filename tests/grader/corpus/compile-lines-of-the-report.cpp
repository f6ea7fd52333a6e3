// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: names its lines after lines of the report
#line 1 "✓ Two heads\n✓ Two heads  6/6  public\033[2J"
int x = nowhere;
