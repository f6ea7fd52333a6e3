// Which keys a block of queries can see at all, so that a kernel touches no others.
#pragma once

#include "types.h"

namespace pyattn {

// The structured mask of batch item `item`, which has `queries` and `keys` positions.
KeyInterval interval_of(const MaskSpec& mask, std::int64_t item, std::int64_t queries, std::int64_t keys);

// Narrows task.first_key … last_key to what some row of the task sees by the interval.
void narrow_keys(BlockTask& task);

// Fills one entry per block of keys from task.first_key on. Biases are not looked at: any finite one is a number.
void classify_blocks(const BlockTask& task, Visible* visible);

}  // namespace pyattn
