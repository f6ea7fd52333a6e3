// assignment: fast-attention
// expect: score=0 code=compile-failed
// tests: small
// tries: an error about names that turn the reader's terminal and line
int a‮b = "‮⁦// } ⁩" + nowhere‏;
#error "[2J]0;title‮ 通过 100/100"
#pragma message("\033[2J\u202e")
