#include "fused.h"

#include <algorithm>

#include "dispatch.h"
#include "parallel.h"

namespace pyattn {
namespace {

constexpr std::int64_t kElementsPerTask = 16384;  // 64 KiB: some microseconds, and still in the cache for a second pass

using Kernel = void (*)(const FusedRow&);

void for_each_row(const FusedArgs& args, const Kernel (&by_type)[kWholeTypes]) {
  const Kernel kernel = by_type[static_cast<int>(args.dtype)];
  const std::int64_t per_task =
      std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, args.first.length));
  const std::int64_t tasks = (args.rows + per_task - 1) / per_task;
  parallel_for(tasks, args.threads, [&](std::int64_t task) {
    for (std::int64_t i = task * per_task; i < std::min(args.rows, (task + 1) * per_task); ++i) {
      FusedRow row = args.first;
      row.x += i * args.x_stride;
      if (row.residual) row.residual += i * args.residual_stride;
      row.out += i * args.out_stride;
      kernel(row);
    }
  });
}

}  // namespace

void bias_relu(const FusedArgs& args) { for_each_row(args, kernels().bias_relu_row); }
void bias_gelu(const FusedArgs& args) { for_each_row(args, kernels().bias_gelu_row); }
void residual_layer_norm(const FusedArgs& args) { for_each_row(args, kernels().residual_layer_norm_row); }

}  // namespace pyattn
