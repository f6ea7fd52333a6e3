#include "attention.h"

#include <algorithm>
#include <vector>

#include "dispatch.h"
#include "parallel.h"
#include "plan.h"
#include "scratch.h"
#include "visibility.h"

namespace pyattn {
namespace {

constexpr double kTanhWork = 20;      // one takes as long as so many products
constexpr double kStays = 512 << 10;  // bytes of K and V that are still in a core's cache in the next task

std::int64_t leading_offset(const AttentionArgs& args, const TensorView& view, std::int64_t item) {
  std::int64_t offset = 0;
  for (int axis = args.leading_rank - 1; axis >= 0; --axis) {
    offset += item % args.leading[axis] * view.leading_stride[axis];
    item /= args.leading[axis];
  }
  return offset;
}

// A cap and its reciprocal have to be finite in the arithmetic. Beyond these bounds all caps mean the same.
double usable_cap(const AttentionArgs& args) {
  if (args.softcap == 0) return 0;
  const double most = args.query.dtype == DType::kFloat64 ? 1e300 : 1e37;
  return std::clamp(args.softcap, 1 / most, most);
}

// One item of the batch, or one packed sequence: its sizes and how its heads are cut.
struct Item {
  std::int64_t index;
  std::int64_t first_query, queries, first_key, keys;
  Plan plan;
};

class Run {
 public:
  explicit Run(const AttentionArgs& args)
      : args_(args),
        kernels_(kernels()),
        dtype_(static_cast<std::size_t>(args.query.dtype)),
        group_(args.heads / args.kv_heads) {
    if (args.query_offsets) plan_packed();
    else plan_uniform();
  }

  void go() {
    reserve_partials();
    const int threads = threads_worth_it();
    parallel_for(args_.kv_heads * tasks_per_head_, threads, [this](std::int64_t task) { attend(task); });
    if (partial_rows_)
      parallel_for(args_.kv_heads * merges_per_head_, threads, [this](std::int64_t task) { merge(task); });
  }

 private:
  Shape shape_of(std::int64_t queries, std::int64_t keys) const {
    return {queries * group_,
            keys,
            args_.width,
            args_.value_width,
            args_.query.dtype,
            args_.has_weights,
            args_.score_weight != nullptr};
  }

  void plan_uniform() {
    uniform_ = {0, 0, args_.queries, 0, args_.keys, plan_for(shape_of(args_.queries, args_.keys), kernels_)};
    tasks_per_head_ = args_.batch * uniform_.plan.tasks();
    merges_per_head_ = args_.batch * uniform_.plan.blocks;
  }

  void plan_packed() {
    items_.reserve(static_cast<std::size_t>(args_.batch));
    for (std::int64_t b = 0; b < args_.batch; ++b) {
      Item item{b,
                args_.query_offsets[b],
                args_.query_offsets[b + 1] - args_.query_offsets[b],
                args_.key_offsets[b],
                args_.key_offsets[b + 1] - args_.key_offsets[b],
                {}};
      item.plan = plan_for(shape_of(item.queries, item.keys), kernels_);
      task_ends_.push_back(tasks_per_head_ += item.plan.tasks());
      merge_ends_.push_back(merges_per_head_ += item.plan.blocks);
      items_.push_back(item);
    }
  }

  // Which item, and which of its tasks. Tasks of one head follow each other: its keys stay in the cache.
  Item locate(std::int64_t& task, std::int64_t& head, std::int64_t per_head_of_item,
              const std::vector<std::int64_t>& ends) const {
    if (items_.empty()) {
      const std::int64_t per_item = per_head_of_item * args_.kv_heads;
      Item item = uniform_;
      item.index = task / per_item;
      head = task % per_item / per_head_of_item;
      task %= per_head_of_item;
      return item;
    }
    const std::int64_t total = ends.back();
    head = task / total;
    task %= total;
    const auto found = std::upper_bound(ends.begin(), ends.end(), task) - ends.begin();
    if (found) task -= ends[static_cast<std::size_t>(found - 1)];
    return items_[static_cast<std::size_t>(found)];
  }

  void attend(std::int64_t number) {
    std::int64_t head;
    const Item item = locate(number, head, uniform_.plan.tasks(), task_ends_);
    const Plan& plan = item.plan;
    // The last rows see the most keys of a causal mask: begin with them.
    const std::int64_t block = plan.blocks - 1 - number / plan.splits, split = number % plan.splits;

    BlockTask task;
    place_block(task, item, head, block);
    task.first_key = split * plan.split_keys;
    task.last_key = std::min(item.keys, task.first_key + plan.split_keys);
    place_terms(task, item, head);
    if (split > 0) task.sinks = nullptr;  // counted once
    task.cold = number == 0 || bytes_of_keys(item) > kStays;
    task.partial = plan.splits > 1 ? partial_of(item, head, block, split) : PartialState{};
    if (!task.weights.data) narrow_keys(task);
    run(task, plan);
  }

  void run(BlockTask& task, const Plan& plan) const {
    const std::size_t blocks = std::size_t((task.last_key - task.first_key + kKeyBlockKeys - 1) / kKeyBlockKeys);
    const std::size_t visible_bytes = (blocks + 63) / 64 * 64;
    const Shape shape = {task.rows,         args_.keys,        args_.width, args_.value_width,
                         args_.query.dtype, args_.has_weights, false};
    char* scratch = thread_scratch(visible_bytes + scratch_bytes(shape, plan, kernels_));
    task.visible = nullptr;
    if (task.structured || task.keeps) {
      classify_blocks(task, reinterpret_cast<Visible*>(scratch));
      task.visible = reinterpret_cast<Visible*>(scratch);
    }
    const auto kernel = kernel_of(plan);
    task.careful = false;
    if (kernel(task, scratch + visible_bytes)) return;
    task.careful = true;
    kernel(task, scratch + visible_bytes);
  }

  // Tasks of a head follow each other: but for the first, they find what their core's cache holds.
  double bytes_of_keys(const Item& item) const {
    const auto row = [](std::int64_t width, const TensorView& view) {
      return double(width) * double(view.column_stride);
    };
    return double(item.keys) * (row(args_.width, args_.key) + row(args_.value_width, args_.value));
  }

  bool (*kernel_of(const Plan& plan) const)(const BlockTask&, char*) {
    if (args_.score_weight) return plan.decode ? kernels_.decode_additive[dtype_] : kernels_.attend_additive[dtype_];
    return plan.decode ? kernels_.decode[dtype_] : kernels_.attend[dtype_];
  }

  static Matrix matrix_of(const TensorView& view, std::int64_t offset) {
    return {view.data + offset, view.row_stride, view.column_stride, view.dtype};
  }

  // Where an item and head begin in a view; packed sequences have no leading stride but a first row.
  std::int64_t start_of(const TensorView& view, const Item& item, std::int64_t head, std::int64_t first_row) const {
    return leading_offset(args_, view, item.index) + head * view.head_stride + first_row * view.row_stride;
  }

  void place_block(BlockTask& task, const Item& item, std::int64_t head, std::int64_t block) const {
    const std::int64_t query_head = head * group_, rows = item.queries * group_;
    task.query = matrix_of(args_.query, start_of(args_.query, item, query_head, item.first_query));
    task.key = matrix_of(args_.key, start_of(args_.key, item, head, item.first_key));
    task.value = matrix_of(args_.value, start_of(args_.value, item, head, item.first_key));
    task.query_head_stride = args_.query.head_stride;
    task.width = args_.width;
    task.value_width = args_.value_width;
    task.group = group_;
    task.first_row = block * item.plan.block_rows;
    task.rows = std::min(item.plan.block_rows, rows - task.first_row);
    task.scale = args_.scale;
    task.score_weight = args_.score_weight;
    task.softcap = usable_cap(args_);
    task.sinks = args_.sinks ? args_.sinks + query_head : nullptr;
    task.slopes = args_.slopes ? args_.slopes + query_head : nullptr;
    place_results(task, item, query_head);
  }

  template <class Task> void place_out(Task& task, const Item& item, std::int64_t query_head) const {
    task.out = matrix_of(args_.out, start_of(args_.out, item, query_head, item.first_query));
    task.out_head_stride = args_.out.head_stride;
    task.lse = args_.has_lse ? args_.lse.data + start_of(args_.lse, item, query_head, item.first_query) : nullptr;
    task.lse_head_stride = args_.lse.head_stride;
    task.lse_row_stride = args_.lse.row_stride;
  }

  void place_results(BlockTask& task, const Item& item, std::int64_t query_head) const {
    place_out(task, item, query_head);
    task.weights = Matrix{};
    if (!args_.has_weights) return;
    task.weights = matrix_of(args_.weights, start_of(args_.weights, item, query_head, item.first_query));
    task.weights_head_stride = args_.weights.head_stride;
  }

  void place_terms(BlockTask& task, const Item& item, std::int64_t head) const {
    const std::int64_t query_head = head * group_;
    const MaskSpec& mask = args_.mask;
    task.structured = mask.structured;
    task.interval = interval_of(mask, item.index, item.queries, item.keys);
    task.keeps = mask.keeps;
    task.biases = args_.biases;
    for (int i = 0; i < mask.keeps; ++i) task.keep[i] = term_of(mask.keep[i], item, query_head);
    for (int i = 0; i < args_.biases; ++i) task.bias[i] = term_of(args_.bias[i], item, query_head);
  }

  Term term_of(const TermView& view, const Item& item, std::int64_t query_head) const {
    return {view.data + leading_offset(args_, view, item.index) + query_head * view.head_stride, view.head_stride,
            view.row_stride, view.column_stride, view.dtype};
  }

  // ---- keys split over tasks ----

  std::size_t state_bytes() const { return args_.query.dtype == DType::kFloat64 ? 8 : 4; }

  // Partial states lie by item, head and block, a block's splits together.
  void reserve_partials() {
    const auto rows_of = [this](const Item& item) {
      return item.plan.splits > 1 ? item.plan.splits * item.queries * group_ : 0;
    };
    if (items_.empty()) {
      partial_rows_ = args_.batch * rows_of(uniform_) * args_.kv_heads;
    } else {
      for (const Item& item : items_) {
        partial_starts_.push_back(partial_rows_);
        partial_rows_ += rows_of(item) * args_.kv_heads;
      }
    }
    const std::size_t elements = std::size_t(partial_rows_) * std::size_t(args_.value_width + 2);
    if (elements) partials_.reset(new char[elements * state_bytes()]);
  }

  PartialState partial_of(const Item& item, std::int64_t head, std::int64_t block, std::int64_t split) const {
    const Plan& plan = item.plan;
    const std::int64_t rows = item.queries * group_, first = block * plan.block_rows;
    const std::int64_t block_rows = std::min(plan.block_rows, rows - first);
    const std::int64_t item_start = items_.empty() ? item.index * plan.splits * rows * args_.kv_heads
                                                   : partial_starts_[static_cast<std::size_t>(item.index)];
    const std::int64_t at = item_start + (head * rows + first) * plan.splits + split * block_rows;
    const auto bytes = [this](std::int64_t elements) { return std::size_t(elements) * state_bytes(); };
    char* base = partials_.get();
    return {base + bytes(at * args_.value_width), base + bytes(partial_rows_ * args_.value_width + at),
            base + bytes(partial_rows_ * (args_.value_width + 1) + at)};
  }

  void merge(std::int64_t number) {
    std::int64_t head;
    const Item item = locate(number, head, uniform_.plan.blocks, merge_ends_);
    if (item.plan.splits == 1) return;
    MergeTask task;
    task.parts = partial_of(item, head, number, 0);
    task.splits = item.plan.splits;
    task.first_row = number * item.plan.block_rows;
    task.rows = std::min(item.plan.block_rows, item.queries * group_ - task.first_row);
    task.value_width = args_.value_width;
    task.group = group_;
    place_out(task, item, head * group_);
    kernels_.merge[dtype_](task, thread_scratch(std::size_t(args_.value_width) * 8 + 64));
  }

  int threads_worth_it() const {
    double products = 0;
    const auto count = [this](const Item& item) {
      const double score = double(args_.width) * (args_.score_weight ? kTanhWork : 1);
      return double(item.queries) * double(item.keys) * double(args_.heads) * (score + double(args_.value_width));
    };
    if (items_.empty()) products = double(args_.batch) * count(uniform_);
    for (const Item& item : items_) products += count(item);
    return threads_for(products, args_.threads);
  }

  const AttentionArgs& args_;
  const Kernels& kernels_;
  const std::size_t dtype_;
  const std::int64_t group_;
  Item uniform_{};
  std::vector<Item> items_;  // packed sequences; else empty
  std::vector<std::int64_t> task_ends_, merge_ends_, partial_starts_;
  std::int64_t tasks_per_head_ = 0, merges_per_head_ = 0, partial_rows_ = 0;
  std::unique_ptr<char[]> partials_;
};

}  // namespace

void attention(const AttentionArgs& args) {
  if (args.batch == 0 || args.heads == 0 || args.kv_heads == 0) return;
  if (!args.query_offsets && args.queries == 0) return;
  Run(args).go();
}

}  // namespace pyattn
