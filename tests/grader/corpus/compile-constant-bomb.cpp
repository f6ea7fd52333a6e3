// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-out-of-memory|compile-file-too-large|compile-ended|compile-timed-out
// tests: small
// limits: compile_seconds=1.5 compile_memory_bytes=268435456
// tries: a constant that takes for ever

constexpr long spin() {
  long sum = 0;
  for (long i = 0; i < 200'000; ++i) for (long j = 0; j < 200'000; ++j) sum += i ^ j;
  return sum;
}
constexpr long bomb = spin();

@ZEROS@
