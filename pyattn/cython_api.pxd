# cython: language_level=3
"""The core of pyattn as C functions, for Cython extensions: typed, without the GIL, without Python objects.

    from pyattn.cython_api cimport AttentionArgs, attention, attention_args, contiguous, error_message

They share the core, its instruction set and its default number of threads with ``import pyattn`` in the same process
and give the same bits. Any number of threads may call at once. Every function that computes returns OK (0) or one of
the ERROR_ codes and then has written nothing (but for ERROR_MEMORY and ERROR_SYSTEM, which may come half-way);
``error_message`` says what a code means. Addresses and strides cannot be checked: they must lead to memory that is
there, and results may not overlap what is read.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t

# Element types. A float16 or bfloat16 is handed over by its bits, as uint16_t.
cdef enum:
    FLOAT32 = 0
    FLOAT64 = 1
    FLOAT16 = 2
    BFLOAT16 = 3

# Which corner positions are counted from: query i stands at key i + offset, where the offset is
cdef enum:
    BOTTOM_RIGHT = 0  # keys − queries (of the lengths, where they are given): the last query stands at the last key
    TOP_LEFT = 1      # 0
    AT_OFFSET = 2     # AttentionArgs.offset, which may be negative

cdef enum:
    UNBOUNDED = -1  # a window without a limit

# What `rows` computes.
cdef enum:
    SOFTMAX = 0
    LOG_SOFTMAX = 1
    LOGSUMEXP = 2

cdef enum:
    OK = 0
    ERROR_ARGS = 1       # not made by attention_args or rows_args of this version
    ERROR_NULL = 2       # a null pointer where there are elements
    ERROR_DTYPE = 3
    ERROR_FUNCTION = 4
    ERROR_SIZE = 5       # heads, kv_heads, width or value_width below 1, another size below 0, or far too large
    ERROR_HEADS = 6      # heads is no multiple of kv_heads
    ERROR_SCALE = 7      # NaN or infinite
    ERROR_SOFTCAP = 8    # negative, NaN or infinite
    ERROR_MASK = 9       # left or right below UNBOUNDED, or an unknown align
    ERROR_LENGTHS = 10   # negative, or beyond keys or queries
    ERROR_THREADS = 11   # negative
    ERROR_OUTPUT = 12    # out or lse has stride 0 along an axis
    ERROR_MEMORY = 13
    ERROR_SYSTEM = 14    # a thread could not be started

ctypedef struct Array:
    # An array of (batch, heads, rows, columns). Strides are bytes from one element to the next along each axis:
    # 0 repeats (for inputs), negative runs backwards from `data`.
    void* data
    int64_t batch_stride
    int64_t head_stride
    int64_t row_stride
    int64_t column_stride

ctypedef struct AttentionArgs:
    # Made by attention_args, which says what the fields are at first. Inputs are only read.
    size_t size                     # of this structure: leave it
    int32_t dtype                   # of query, key, value and out; first FLOAT32
    int32_t threads                 # at most so many; first 0, the default number
    int64_t batch
    int64_t heads                   # a multiple of kv_heads: query head h uses kv head h // (heads // kv_heads)
    int64_t kv_heads
    int64_t queries
    int64_t keys
    int64_t width
    int64_t value_width
    Array query                     # (batch, heads, queries, width)
    Array key                       # (batch, kv_heads, keys, width)
    Array value                     # (batch, kv_heads, keys, value_width)
    Array out                       # (batch, heads, queries, value_width); a query that sees no key gets zeros
    Array lse                       # (batch, heads, queries, 1): log of the denominator, float32, or float64 with
                                    # FLOAT64; first null: not wanted
    double scale                    # factor of query · key; first 1 / sqrt(width)
    double softcap                  # scores become softcap · tanh(score / softcap); first 0: no cap
    int32_t align                   # first BOTTOM_RIGHT
    int32_t bias_dtype              # first FLOAT32
    int64_t offset                  # with AT_OFFSET; first 0
    int64_t left                    # query i sees keys i + offset − left
    int64_t right                   # to i + offset + right, both included; first UNBOUNDED. right = 0 is causal
    const int64_t* key_lengths      # (batch,): how many keys of each item are real; first null: all
    const int64_t* query_lengths    # (batch,): queries beyond get zeros; first null: all are real
    Array keep                      # (batch, heads, queries, keys) bytes, 0 hides the key, else 1; first null: none
    Array bias                      # (batch, heads, queries, keys) of bias_dtype, added to the scores, −inf hides;
                                    # first null: none
    const double* sinks             # (heads,): a logit that counts in the denominator only; first null: none
    const double* slopes            # (heads,): ALiBi, bias −slope · |i + offset − j|; first null: none

ctypedef struct RowsArgs:
    # Made by rows_args. x and out may be the same array.
    size_t size                     # of this structure: leave it
    int32_t dtype                   # of x and out; first FLOAT32
    int32_t function                # SOFTMAX, LOG_SOFTMAX or LOGSUMEXP; first SOFTMAX
    int32_t threads                 # at most so many; first 0, the default number
    int64_t rows
    int64_t columns                 # the functions go along these
    const void* x                   # (rows, columns)
    void* out                       # (rows, columns); (rows,) for LOGSUMEXP
    int64_t x_row_stride            # bytes; first those of contiguous float32 arrays
    int64_t x_column_stride
    int64_t out_row_stride
    int64_t out_column_stride

# The general functions.
cdef int attention(const AttentionArgs* args) noexcept nogil
cdef int rows(const RowsArgs* args) noexcept nogil

# The same for contiguous arrays, of the shapes above, with the default scale; causal (counted bottom-right) when
# `causal` is not 0. threads: 0 is the default number.
cdef int attention_float32(
    const float* query, const float* key, const float* value, float* out, int64_t batch, int64_t heads,
    int64_t kv_heads, int64_t queries, int64_t keys, int64_t width, int64_t value_width, int causal, int threads,
) noexcept nogil
cdef int attention_float64(
    const double* query, const double* key, const double* value, double* out, int64_t batch, int64_t heads,
    int64_t kv_heads, int64_t queries, int64_t keys, int64_t width, int64_t value_width, int causal, int threads,
) noexcept nogil
cdef int attention_halves(  # dtype: FLOAT16 or BFLOAT16
    int dtype, const uint16_t* query, const uint16_t* key, const uint16_t* value, uint16_t* out, int64_t batch,
    int64_t heads, int64_t kv_heads, int64_t queries, int64_t keys, int64_t width, int64_t value_width, int causal,
    int threads,
) noexcept nogil

# Softmax of each row of a contiguous (count, columns) array.
cdef int softmax_float32(const float* x, float* out, int64_t count, int64_t columns, int threads) noexcept nogil
cdef int softmax_float64(const double* x, double* out, int64_t count, int64_t columns, int threads) noexcept nogil

# What threads = 0 stands for now: pyattn.get_num_threads().
cdef int num_threads() noexcept nogil

# What an error code means, in English; never null.
cdef const char* error_message(int code) noexcept nogil

# An array of (batch, heads, rows, columns) without gaps, of elements of `itemsize` bytes.
cdef Array contiguous(
    const void* data, int64_t heads, int64_t rows, int64_t columns, int64_t itemsize
) noexcept nogil

# For the inline functions: the caller's sizeof tells which version it was built against.
cdef void set_attention_defaults(AttentionArgs* args, size_t size) noexcept nogil
cdef void set_rows_defaults(RowsArgs* args, size_t size) noexcept nogil


cdef inline AttentionArgs attention_args(
    int64_t batch, int64_t heads, int64_t kv_heads, int64_t queries, int64_t keys, int64_t width, int64_t value_width
) noexcept nogil:
    """Arguments of these sizes. Still to be filled in: query, key, value and out; dtype unless it is FLOAT32."""
    cdef AttentionArgs args
    args.batch = batch
    args.heads = heads
    args.kv_heads = kv_heads
    args.queries = queries
    args.keys = keys
    args.width = width
    args.value_width = value_width
    set_attention_defaults(&args, sizeof(AttentionArgs))
    return args


cdef inline RowsArgs rows_args(const void* x, void* out, int64_t count, int64_t columns) noexcept nogil:
    """Arguments for contiguous float32 (count, columns) arrays; other dtypes and strides are filled in afterwards."""
    cdef RowsArgs args
    args.x = x
    args.out = out
    args.rows = count
    args.columns = columns
    set_rows_defaults(&args, sizeof(RowsArgs))
    return args
