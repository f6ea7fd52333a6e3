#include "rows.h"

#include <algorithm>

#include "dispatch.h"
#include "parallel.h"
#include "scratch.h"

namespace pyattn {
namespace {

constexpr std::int64_t kElementsPerTask = 8192;
constexpr std::size_t kKeptBytes = 1 << 20;  // a thread keeps its scratch; that of a huge row is given back

RowTask row_at(const RowsArgs& args, std::int64_t number) {
  RowTask row = args.row;
  for (int axis = args.rank - 1; axis >= 0; --axis) {
    const std::int64_t i = number % args.shape[axis];
    number /= args.shape[axis];
    row.in += i * args.in_stride[axis];
    row.out += i * args.out_stride[axis];
  }
  return row;
}

}  // namespace

void softmax_rows(const RowsArgs& args) {
  std::int64_t rows = 1;
  for (int axis = 0; axis < args.rank; ++axis) rows *= args.shape[axis];
  const std::int64_t per_task =
      std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, args.row.length));
  const std::int64_t tasks = (rows + per_task - 1) / per_task;
  const auto kernel = kernels().softmax_row[static_cast<std::size_t>(args.row.dtype)];
  const std::size_t bytes = std::size_t(args.row.length) * 8 + 128;
  parallel_for(tasks, tasks < 4 ? 1 : args.threads, [&](std::int64_t task) {
    const Scratch own = bytes > kKeptBytes ? new_scratch(bytes) : nullptr;
    char* scratch = own ? own.get() : thread_scratch(bytes);
    for (std::int64_t i = task * per_task; i < std::min(rows, (task + 1) * per_task); ++i)
      kernel(row_at(args, i), scratch);
  });
}

}  // namespace pyattn
