// assignment: fast-attention
// expect: score=0 code=wrong-when-timed|works-after-return
// tests: speed-decode
// tries: answers every timed call with the answer of the first
@ATTEND@

static std::vector<float> kept;

extern "C" void attention(const float* q, const float* k, const float* v, float* output, int64_t heads, int64_t queries,
                          int64_t keys, int64_t width, int64_t value_width) {
  if (kept.empty()) {
    attend(q, k, v, output, heads, queries, keys, width, value_width);
    kept.assign(output, output + heads * queries * value_width);
  }
  std::copy(kept.begin(), kept.end(), output);
}
