#include "plan.h"

#include <algorithm>

namespace pyattn {
namespace {

constexpr std::int64_t kSplitKeys = 512;  // a task this long hides its own start and finish
constexpr std::int64_t kMostSplits = 64;
constexpr std::int64_t kEnoughTasks = 16;  // per kv head, before its keys are split for more

constexpr std::int64_t kTanh = 24;  // vector operations of one, where a product has one

std::int64_t splits_for(const Shape& s, std::int64_t blocks) {
  const std::int64_t useful = std::max<std::int64_t>(1, s.keys / kSplitKeys);
  return std::min({useful, kMostSplits, std::max<std::int64_t>(1, kEnoughTasks / blocks)});
}

// Rows that share a block of keys while it is in the cache: as many as leave a head enough tasks.
std::int64_t rows_of_task(const Shape& s, std::int64_t least, std::int64_t most) {
  if (s.additive) return least;  // the tanh of each score takes so long that keys may come from anywhere
  return std::clamp(s.rows / kEnoughTasks / least * least, least, most);
}

}  // namespace

// Vector operations per key. Queries in lanes: one product per feature and vector of rows, for K and for V.
// Features in lanes: per row one product per vector of features, and the sum across lanes.
bool few_rows(const Shape& s, std::int64_t lanes) {
  const std::int64_t score = s.additive ? kTanh : 1;
  const std::int64_t in_lanes = (s.width * score + s.value_width) * ceil_div(s.rows, lanes);
  const std::int64_t in_rows = s.rows * (ceil_div(s.width, lanes) * score + ceil_div(s.value_width, lanes) + 6);
  return in_rows < in_lanes;
}

Plan plan_for(const Shape& shape, const Kernels& kernels) {
  const auto dtype = static_cast<std::size_t>(shape.dtype);
  Plan plan{};
  plan.decode = !shape.weights && few_rows(shape, kernels.lanes[dtype]);
  const std::int64_t most = rows_of_task(shape, kernels.lane_rows[dtype], kernels.query_block[dtype]);
  plan.block_rows = std::max<std::int64_t>(1, plan.decode ? shape.rows : std::min(shape.rows, most));
  plan.blocks = ceil_div(shape.rows, plan.block_rows);
  plan.splits = 1;
  if (!shape.weights && plan.blocks > 0) {
    const std::int64_t most = plan.decode ? std::min(kMostSplits, std::max<std::int64_t>(1, shape.keys / kSplitKeys))
                                          : splits_for(shape, plan.blocks);
    plan.splits = std::max<std::int64_t>(1, most);
  }
  plan.split_keys =
      ceil_div(ceil_div(std::max<std::int64_t>(shape.keys, 1), plan.splits), kKeyBlockKeys) * kKeyBlockKeys;
  plan.splits = std::max<std::int64_t>(1, ceil_div(shape.keys, plan.split_keys));
  return plan;
}

std::size_t scratch_bytes(const Shape& shape, const Plan& plan, const Kernels& kernels) {
  const auto dtype = static_cast<std::size_t>(shape.dtype);
  return plan.decode ? kernels.decode_scratch[dtype](plan.block_rows, shape.width, shape.value_width)
                     : kernels.attend_scratch[dtype](shape.width, shape.value_width);
}

}  // namespace pyattn
