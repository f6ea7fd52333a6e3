// The definition: attention in three plain loops and double arithmetic. Everything else is tested against it.
#pragma once

#include "types.h"

namespace pyattn {

// The element at `at`.
double read_element(const char* at, DType dtype);

// As attention(), one query after the other.
void reference_attention(const AttentionArgs& args);

}  // namespace pyattn
