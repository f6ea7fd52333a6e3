// assignment: fast-attention
// expect: score=0 code=compile-failed|compile-out-of-memory|compile-file-too-large|compile-ended|compile-timed-out
// tests: small
// limits: compile_seconds=1.5 compile_memory_bytes=268435456
// tries: templates that make two of each

template <int depth, int path> struct Tree {
  static constexpr long value = Tree<depth - 1, 2 * path>::value + Tree<depth - 1, 2 * path + 1>::value;
};
template <int path> struct Tree<0, path> { static constexpr long value = path; };
long bomb = Tree<26, 1>::value;

@ZEROS@
