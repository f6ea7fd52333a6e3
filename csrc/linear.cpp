#include "linear.h"

#include <algorithm>

#include "dispatch.h"
#include "parallel.h"
#include "plan.h"
#include "scratch.h"

namespace pyattn {
namespace {

constexpr std::int64_t kFewOutputs = 64;  // a task of few rows has a multiple of so many
constexpr std::int64_t kFewTasksPerThread = 4;

std::int64_t up_to(std::int64_t n, std::int64_t multiple) { return ceil_div(n, multiple) * multiple; }

// How rows and outputs are cut into tasks. What an output is does not depend on it.
struct Cut {
  bool few;
  std::int64_t rows, blocks, outputs, parts;
  std::size_t scratch;

  Cut(const LinearArgs& args, const Kernels& kernels) {
    const auto dtype = static_cast<std::size_t>(args.x.dtype);
    few = few_rows({args.rows, args.outputs, args.width, 0, args.x.dtype, false, false}, kernels.lanes[dtype]);
    if (few) {
      rows = args.rows;
      outputs = up_to(ceil_div(args.outputs, kFewTasksPerThread * args.threads), kFewOutputs);
      scratch = kernels.decode_scratch[dtype](rows, args.width, 0);
    } else {
      cut_evenly(args, kernels.linear_rows[dtype], kernels.linear_outputs, kernels.lanes[dtype]);
      scratch = kernels.linear_scratch[dtype]();
    }
    blocks = ceil_div(args.rows, rows);
    parts = ceil_div(args.outputs, outputs);
  }

 private:
  // As many tasks for each thread, of the same size: what rows are turned over for is best a whole row of outputs.
  void cut_evenly(const LinearArgs& args, std::int64_t most_rows, std::int64_t most_outputs, std::int64_t lanes) {
    const std::int64_t least_blocks = ceil_div(args.rows, most_rows),
                       least_parts = ceil_div(args.outputs, most_outputs);
    const bool rows_suffice = least_blocks >= args.threads;
    const std::int64_t all_blocks = rows_suffice ? up_to(least_blocks, args.threads) : least_blocks;
    const std::int64_t all_parts =
        rows_suffice ? least_parts : std::max(least_parts, ceil_div(args.threads, least_blocks));
    rows = up_to(ceil_div(args.rows, all_blocks), lanes);
    outputs = up_to(ceil_div(args.outputs, all_parts), lanes);
  }
};

}  // namespace

// Tasks of the same part of the weight follow each other: it stays in the cache for all rows.
void linear(const LinearArgs& args) {
  if (!args.rows || !args.outputs) return;
  const Kernels& table = kernels();
  const auto dtype = static_cast<std::size_t>(args.x.dtype);
  const Cut cut(args, table);
  const auto kernel = cut.few ? table.linear_few[dtype] : table.linear[dtype];
  const int threads = threads_for(double(args.rows) * double(args.outputs) * double(args.width), args.threads);
  parallel_for(cut.blocks * cut.parts, threads, [&](std::int64_t number) {
    const std::int64_t row = number % cut.blocks * cut.rows, output = number / cut.blocks * cut.outputs;
    const LinearTask task{args.x,
                          args.weight,
                          args.out,
                          args.bias,
                          args.bias_stride,
                          args.activation,
                          args.width,
                          row,
                          std::min(cut.rows, args.rows - row),
                          output,
                          std::min(cut.outputs, args.outputs - output)};
    kernel(task, thread_scratch(cut.scratch));
  });
}

}  // namespace pyattn
