#include "layer_norm.h"

#include <algorithm>

#include "dispatch.h"
#include "parallel.h"

namespace pyattn {
namespace {

constexpr std::int64_t kElementsPerTask = 16384;  // 64 KiB: some microseconds, and still in the cache for a second pass

}  // namespace

void layer_norm(const NormArgs& args) {
  const auto kernel = kernels().layer_norm_row[static_cast<int>(args.dtype)];
  const std::int64_t per_task =
      std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, args.first.length));
  const std::int64_t tasks = (args.rows + per_task - 1) / per_task;
  parallel_for(tasks, args.threads, [&](std::int64_t task) {
    for (std::int64_t i = task * per_task; i < std::min(args.rows, (task + 1) * per_task); ++i) {
      NormRow row = args.first;
      row.x += i * args.x_stride;
      if (row.residual) row.residual += i * args.residual_stride;
      row.out += i * args.out_stride;
      kernel(row);
    }
  });
}

}  // namespace pyattn
