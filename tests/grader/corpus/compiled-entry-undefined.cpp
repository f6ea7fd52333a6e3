// assignment: fast-attention
// expect: score=0 code=import-failed
// tests: small double
// tries: a function that is declared and used, and nowhere
extern "C" void attention(const float*, const float*, const float*, float*);
extern "C" void attention_double(const double*, const double*, const double*, double*);
void* both[] = {(void*)&attention, (void*)&attention_double};
