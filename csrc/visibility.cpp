#include "visibility.h"

#include <algorithm>
#include <cstring>

#include "kernels/kernels.h"

namespace pyattn {
namespace {

std::int64_t first_visible(const KeyInterval& m, std::int64_t query) {
  return std::clamp<std::int64_t>(query + m.offset - m.left, 0, m.key_length);
}

std::int64_t last_visible(const KeyInterval& m, std::int64_t query) {
  return std::clamp<std::int64_t>(query + m.offset + m.right + 1, 0, m.key_length);
}

struct QueryRange {
  std::int64_t first, last;  // both included
};

QueryRange queries_of(const BlockTask& task) {
  return {task.first_row / task.group, (task.first_row + task.rows - 1) / task.group};
}

Visible by_interval(const BlockTask& task, std::int64_t key, std::int64_t end) {
  if (!task.structured) return Visible::kAll;
  const KeyInterval& m = task.interval;
  const QueryRange q = queries_of(task);
  // Both ends of the interval grow with the query, so the first and last query decide.
  const bool everybody_sees_all =
      q.last < m.query_length && key >= first_visible(m, q.last) && end <= last_visible(m, q.first);
  if (everybody_sees_all) return Visible::kAll;
  const std::int64_t last = std::min(q.last, m.query_length - 1);
  const bool nobody_sees_any = q.first > last || end <= first_visible(m, q.first) || key >= last_visible(m, last);
  return nobody_sees_any ? Visible::kNone : Visible::kSome;
}

struct Found {
  bool zeros = false, ones = false;
  bool both() const { return zeros && ones; }
};

// Eight booleans at a time where they lie side by side.
void scan_row(const char* row, std::int64_t stride, std::int64_t n, Found& found) {
  std::int64_t i = 0;
  if (stride == 1) {
    for (; i + 8 <= n && !found.both(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, row + i, 8);
      if (word == 0) found.zeros = true;
      else if (word == 0x0101010101010101u) found.ones = true;
      else break;
    }
  }
  for (; i < n && !found.both(); ++i) (row[i * stride] ? found.ones : found.zeros) = true;
}

Visible by_keep(const BlockTask& task, const Term& keep, std::int64_t key, std::int64_t end) {
  const QueryRange q = queries_of(task);
  const std::int64_t queries = keep.row_stride == 0 ? 1 : q.last - q.first + 1;
  const std::int64_t heads = keep.head_stride == 0 ? 1 : task.group;
  Found found;
  for (std::int64_t i = 0; i < queries && !found.both(); ++i)
    for (std::int64_t h = 0; h < heads && !found.both(); ++h)
      scan_row(keep.data + (q.first + i) * keep.row_stride + h * keep.head_stride + key * keep.column_stride,
               keep.column_stride, end - key, found);
  return found.both() ? Visible::kSome : found.zeros ? Visible::kNone : Visible::kAll;
}

// One end of the interval of query 0: `offset` and a reach from there, which may be further than numbers go.
std::int64_t end_at(std::int64_t offset, std::int64_t reach, bool forward) {
  std::int64_t end;
  const bool beyond = reach == kUnbounded || (forward ? __builtin_add_overflow(offset, reach, &end)
                                                      : __builtin_sub_overflow(offset, reach, &end));
  if (beyond) return forward ? kFarthest : -kFarthest;
  return std::clamp(end, -kFarthest, kFarthest);
}

}  // namespace

KeyInterval interval_of(const MaskSpec& mask, std::int64_t item, std::int64_t queries, std::int64_t keys) {
  KeyInterval m;
  m.key_length = mask.key_lengths ? mask.key_lengths[item] : keys;
  m.query_length = mask.query_lengths ? mask.query_lengths[item] : queries;
  if (mask.offsets) m.offset = mask.offsets[item];
  else if (mask.has_offset) m.offset = mask.offset;
  else m.offset = mask.align == Align::kTopLeft ? 0 : m.key_length - m.query_length;
  const std::int64_t first = end_at(m.offset, mask.left, false), last = end_at(m.offset, mask.right, true);
  m.offset = std::clamp(m.offset, -kFarthest, kFarthest);
  m.left = m.offset - first;
  m.right = last - m.offset;
  return m;
}

void narrow_keys(BlockTask& task) {
  if (!task.structured) return;
  const KeyInterval& m = task.interval;
  const QueryRange q = queries_of(task);
  const std::int64_t last = std::min(q.last, m.query_length - 1);
  const bool none = q.first > last;
  task.first_key = std::max(task.first_key, none ? task.last_key : first_visible(m, q.first));
  task.last_key = std::max(task.first_key, std::min(task.last_key, none ? 0 : last_visible(m, last)));
}

void classify_blocks(const BlockTask& task, Visible* visible) {
  for (std::int64_t key = task.first_key; key < task.last_key; key += kKeyBlockKeys, ++visible) {
    const std::int64_t end = std::min(key + kKeyBlockKeys, task.last_key);
    *visible = by_interval(task, key, end);
    for (int i = 0; i < task.keeps && *visible != Visible::kNone; ++i) {
      const Visible seen = by_keep(task, task.keep[i], key, end);
      if (seen != Visible::kAll) *visible = seen == Visible::kNone ? seen : Visible::kSome;
    }
  }
}

}  // namespace pyattn
