// Attention of a whole call: items × kv heads × blocks of rows × ranges of keys, run in parallel.
#pragma once

#include "types.h"

namespace pyattn {

// Arguments must be valid (the bindings check them). Throws std::bad_alloc only.
void attention(const AttentionArgs& args);

}  // namespace pyattn
