#include "c_api.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

#include "attention.h"
#include "bindings.h"
#include "rows.h"

namespace pyattn {
namespace {

std::atomic<int> default_threads{1};  // pyattn.runtime sets it

constexpr int kMostThreads = 1024;
// A product of sizes below this cannot overflow where the core goes on to count bytes, partial states and tasks,
// and no memory holds as many results.
constexpr std::int64_t kMostElements = std::int64_t{1} << 46;

static_assert(PYATTN_FLOAT32 == int(DType::kFloat32) && PYATTN_FLOAT64 == int(DType::kFloat64) &&
              PYATTN_FLOAT16 == int(DType::kFloat16) && PYATTN_BFLOAT16 == int(DType::kBFloat16));
static_assert(PYATTN_SOFTMAX == int(RowOp::kSoftmax) && PYATTN_LOG_SOFTMAX == int(RowOp::kLogSoftmax) &&
              PYATTN_LOGSUMEXP == int(RowOp::kLogSumExp));

bool is_dtype(std::int32_t dtype) { return dtype >= 0 && dtype < kDTypes; }

// The number of elements of an array of these sizes, or −1 when one is negative or they are too many.
std::int64_t count(std::initializer_list<std::int64_t> sizes) {
  std::int64_t n = 1;
  bool empty = false, too_many = false;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > kFarthest) return -1;
    empty |= size == 0;
    too_many |= __builtin_mul_overflow(n, std::max<std::int64_t>(size, 1), &n) || n > kMostElements;
  }
  return too_many ? -1 : empty ? 0 : n;
}

int check_sizes(const pyattn_attention_args& a) {
  if (a.heads < 1 || a.kv_heads < 1 || a.width < 1 || a.value_width < 1) return PYATTN_ERROR_SIZE;
  for (const std::int64_t rows : {a.queries, a.keys})
    for (const std::int64_t columns : {a.width, a.value_width})
      if (count({a.batch, std::max(a.heads, a.kv_heads), rows, columns}) < 0) return PYATTN_ERROR_SIZE;
  return a.heads % a.kv_heads ? PYATTN_ERROR_HEADS : PYATTN_OK;
}

int check_pointers(const pyattn_attention_args& a) {
  if (a.batch == 0 || a.queries == 0) return PYATTN_OK;  // nothing to write
  if (!a.query.data || !a.out.data) return PYATTN_ERROR_NULL;
  return a.keys > 0 && !(a.key.data && a.value.data) ? PYATTN_ERROR_NULL : PYATTN_OK;
}

int check_numbers(const pyattn_attention_args& a) {
  if (!std::isfinite(a.scale)) return PYATTN_ERROR_SCALE;
  if (!(a.softcap >= 0 && std::isfinite(a.softcap))) return PYATTN_ERROR_SOFTCAP;
  if (a.align < PYATTN_BOTTOM_RIGHT || a.align > PYATTN_AT_OFFSET || a.left < -1 || a.right < -1)
    return PYATTN_ERROR_MASK;
  return a.threads < 0 ? PYATTN_ERROR_THREADS : PYATTN_OK;
}

int check_lengths(const std::int64_t* lengths, std::int64_t batch, std::int64_t most) {
  if (!lengths) return PYATTN_OK;
  const bool fit = std::all_of(lengths, lengths + batch, [most](std::int64_t n) { return n >= 0 && n <= most; });
  return fit ? PYATTN_OK : PYATTN_ERROR_LENGTHS;
}

// Two results at one address would be a race.
int check_output(const pyattn_array& out, std::int64_t batch, std::int64_t heads, std::int64_t rows,
                 std::int64_t columns) {
  if (!out.data || batch == 0 || rows == 0) return PYATTN_OK;
  const bool repeats = (batch > 1 && out.batch_stride == 0) || (heads > 1 && out.head_stride == 0) ||
                       (rows > 1 && out.row_stride == 0) || (columns > 1 && out.column_stride == 0);
  return repeats ? PYATTN_ERROR_OUTPUT : PYATTN_OK;
}

int check(const pyattn_attention_args& a) {
  if (!is_dtype(a.dtype) || (a.bias.data && !is_dtype(a.bias_dtype))) return PYATTN_ERROR_DTYPE;
  if (const int code = check_sizes(a)) return code;
  if (const int code = check_numbers(a)) return code;
  if (const int code = check_pointers(a)) return code;
  if (const int code = check_lengths(a.key_lengths, a.batch, a.keys)) return code;
  if (const int code = check_lengths(a.query_lengths, a.batch, a.queries)) return code;
  if (const int code = check_output(a.out, a.batch, a.heads, a.queries, a.value_width)) return code;
  return check_output(a.lse, a.batch, a.heads, a.queries, 1);
}

TensorView view(const pyattn_array& array, std::int32_t dtype) {
  TensorView v;
  v.data = static_cast<char*>(array.data);
  v.dtype = static_cast<DType>(dtype);
  v.leading_stride[0] = array.batch_stride;
  v.head_stride = array.head_stride;
  v.row_stride = array.row_stride;
  v.column_stride = array.column_stride;
  return v;
}

void fill_mask(const pyattn_attention_args& a, MaskSpec& mask) {
  const auto reach = [](std::int64_t n) { return n < 0 ? kUnbounded : std::min(n, kUnbounded); };
  mask.structured = a.left >= 0 || a.right >= 0 || a.key_lengths || a.query_lengths;
  mask.align = a.align == PYATTN_TOP_LEFT ? Align::kTopLeft : Align::kBottomRight;
  mask.has_offset = a.align == PYATTN_AT_OFFSET;
  mask.offset = a.offset;
  mask.left = reach(a.left);
  mask.right = reach(a.right);
  mask.key_lengths = a.key_lengths;
  mask.query_lengths = a.query_lengths;
  if (a.keep.data) mask.keep[mask.keeps++] = view(a.keep, PYATTN_FLOAT32);
}

void fill(const pyattn_attention_args& a, AttentionArgs& args) {
  args.query = view(a.query, a.dtype);
  args.key = view(a.key, a.dtype);
  args.value = view(a.value, a.dtype);
  args.out = view(a.out, a.dtype);
  args.lse = view(a.lse, a.dtype == PYATTN_FLOAT64 ? PYATTN_FLOAT64 : PYATTN_FLOAT32);
  args.has_lse = a.lse.data != nullptr;
  args.leading_rank = 1;
  args.leading[0] = args.batch = a.batch;
  args.heads = a.heads;
  args.kv_heads = a.kv_heads;
  args.queries = a.queries;
  args.keys = a.keys;
  args.width = a.width;
  args.value_width = a.value_width;
  args.scale = a.scale;
  args.softcap = a.softcap;
  args.sinks = a.sinks;
  args.slopes = a.slopes;
  if (a.bias.data) args.bias[args.biases++] = view(a.bias, a.bias_dtype);
  fill_mask(a, args.mask);
}

int threads_for(std::int32_t threads) {
  return threads == 0 ? default_threads.load(std::memory_order_relaxed) : std::min<int>(threads, kMostThreads);
}

template <class F> int without_exceptions(F&& compute) noexcept {
  try {
    compute();
    return PYATTN_OK;
  } catch (const std::bad_alloc&) {
    return PYATTN_ERROR_MEMORY;
  } catch (...) {
    return PYATTN_ERROR_SYSTEM;
  }
}

int c_attention(const pyattn_attention_args* given) noexcept {
  if (!given) return PYATTN_ERROR_NULL;
  if (given->size != sizeof *given) return PYATTN_ERROR_ARGS;
  if (const int code = check(*given)) return code;
  AttentionArgs args;
  fill(*given, args);
  args.threads = threads_for(given->threads);
  return without_exceptions([&] { attention(args); });
}

int check_rows(const pyattn_rows_args& a) {
  if (!is_dtype(a.dtype)) return PYATTN_ERROR_DTYPE;
  if (a.function < PYATTN_SOFTMAX || a.function > PYATTN_LOGSUMEXP) return PYATTN_ERROR_FUNCTION;
  const std::int64_t elements = count({a.rows, a.columns});
  if (elements < 0) return PYATTN_ERROR_SIZE;
  if (a.threads < 0) return PYATTN_ERROR_THREADS;
  const std::int64_t results = a.function == PYATTN_LOGSUMEXP ? a.rows : elements;
  if ((elements && !a.x) || (results && !a.out)) return PYATTN_ERROR_NULL;
  const bool repeats = (a.rows > 1 && a.out_row_stride == 0) ||
                       (a.columns > 1 && a.function != PYATTN_LOGSUMEXP && a.out_column_stride == 0);
  return results && repeats ? PYATTN_ERROR_OUTPUT : PYATTN_OK;
}

int c_rows(const pyattn_rows_args* given) noexcept {
  if (!given) return PYATTN_ERROR_NULL;
  if (given->size != sizeof *given) return PYATTN_ERROR_ARGS;
  if (const int code = check_rows(*given)) return code;
  RowsArgs args;
  args.row = {static_cast<RowOp>(given->function),
              static_cast<DType>(given->dtype),
              static_cast<const char*>(given->x),
              static_cast<char*>(given->out),
              given->columns,
              given->x_column_stride,
              given->out_column_stride};
  args.rank = 1;
  args.shape[0] = given->rows;
  args.in_stride[0] = given->x_row_stride;
  args.out_stride[0] = given->out_row_stride;
  args.threads = threads_for(given->threads);
  return without_exceptions([&] { softmax_rows(args); });
}

int c_num_threads() noexcept { return default_threads.load(std::memory_order_relaxed); }

const char* c_error_message(int code) noexcept {
  switch (code) {
    case PYATTN_OK: return "no error";
    case PYATTN_ERROR_ARGS:
      return "the arguments are not from this version's attention_args() or rows_args(); rebuild against this pyattn";
    case PYATTN_ERROR_NULL: return "a pointer is null; expected the address of an array, unless it has no elements";
    case PYATTN_ERROR_DTYPE: return "a dtype is unknown; expected FLOAT32, FLOAT64, FLOAT16 or BFLOAT16";
    case PYATTN_ERROR_FUNCTION: return "the function of rows is unknown; expected SOFTMAX, LOG_SOFTMAX or LOGSUMEXP";
    case PYATTN_ERROR_SIZE:
      return "a size does not fit; expected heads, kv_heads and widths of at least 1, other sizes of at least 0, and "
             "no more elements than a memory can hold";
    case PYATTN_ERROR_HEADS: return "heads is no multiple of kv_heads; query heads share key heads in equal groups";
    case PYATTN_ERROR_SCALE: return "scale is not a finite number";
    case PYATTN_ERROR_SOFTCAP: return "softcap is negative or not finite; expected a positive number, or 0 for no cap";
    case PYATTN_ERROR_MASK:
      return "the mask does not fit; expected left and right of at least 0, or UNBOUNDED, and align BOTTOM_RIGHT, "
             "TOP_LEFT or AT_OFFSET";
    case PYATTN_ERROR_LENGTHS:
      return "a length does not fit; expected key_lengths from 0 to keys and query_lengths from 0 to queries";
    case PYATTN_ERROR_THREADS:
      return "threads is negative; expected a number of threads, or 0 for pyattn.get_num_threads()";
    case PYATTN_ERROR_OUTPUT:
      return "out or lse has stride 0 along an axis, so that results would overwrite each other; expected an array "
             "of its own";
    case PYATTN_ERROR_MEMORY: return "there is not enough memory for the working space";
    case PYATTN_ERROR_SYSTEM: return "the system refused a thread; ask for fewer threads";
    default: return "unknown error code";
  }
}

const pyattn_api kTable = {
    PYATTN_API_VERSION, sizeof(pyattn_attention_args), sizeof(pyattn_rows_args), &c_attention, &c_rows, &c_num_threads,
    &c_error_message};

}  // namespace

void bind_c_api(pybind11::module_& m) {
  m.attr("_C_API") = pybind11::capsule(static_cast<const void*>(&kTable), PYATTN_API_NAME);
  m.def("set_default_threads", [](int threads) { default_threads = threads; });
}

}  // namespace pyattn
