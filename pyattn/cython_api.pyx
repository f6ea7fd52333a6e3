# cython: language_level=3, cdivision=True
"""The C functions of ``cython_api.pxd``; there is nothing here for Python to call."""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.math cimport sqrt

from pyattn import _core


cdef extern from "c_api.h":
    const char* PYATTN_API_NAME
    const unsigned int PYATTN_API_VERSION
    ctypedef struct pyattn_attention_args
    ctypedef struct pyattn_rows_args
    ctypedef struct pyattn_api:
        unsigned int version
        size_t attention_args_size
        size_t rows_args_size
        int (*attention)(const pyattn_attention_args*) noexcept nogil
        int (*rows)(const pyattn_rows_args*) noexcept nogil
        int (*num_threads)() noexcept nogil
        const char* (*error_message)(int) noexcept nogil


cdef const pyattn_api* core = <const pyattn_api*> PyCapsule_GetPointer(_core._C_API, PYATTN_API_NAME)
if core.version != PYATTN_API_VERSION or core.attention_args_size != sizeof(AttentionArgs) \
        or core.rows_args_size != sizeof(RowsArgs):
    raise ImportError(
        f"pyattn.cython_api was built for version {PYATTN_API_VERSION} of the core's table, pyattn._core has version "
        f"{core.version}; install pyattn anew."
    )


cdef int attention(const AttentionArgs* args) noexcept nogil:
    return core.attention(<const pyattn_attention_args*> args)


cdef int rows(const RowsArgs* args) noexcept nogil:
    return core.rows(<const pyattn_rows_args*> args)


cdef int num_threads() noexcept nogil:
    return core.num_threads()


cdef const char* error_message(int code) noexcept nogil:
    return core.error_message(code)


cdef Array contiguous(
    const void* data, int64_t heads, int64_t rows, int64_t columns, int64_t itemsize
) noexcept nogil:
    # Unsigned, so that sizes the core is about to refuse may overflow.
    cdef Array array
    array.data = <void*> data
    array.column_stride = itemsize
    array.row_stride = <int64_t> (<size_t> columns * <size_t> itemsize)
    array.head_stride = <int64_t> (<size_t> rows * <size_t> array.row_stride)
    array.batch_stride = <int64_t> (<size_t> heads * <size_t> array.head_stride)
    return array


cdef void set_attention_defaults(AttentionArgs* args, size_t size) noexcept nogil:
    args.size = size
    if size != sizeof(AttentionArgs):
        return  # of another version: attention() will say so
    args.dtype = FLOAT32
    args.threads = 0
    args.query = args.key = args.value = args.out = args.lse = args.keep = args.bias = contiguous(NULL, 0, 0, 0, 0)
    args.scale = 1 / sqrt(<double> args.width)
    args.softcap = 0
    args.align = BOTTOM_RIGHT
    args.bias_dtype = FLOAT32
    args.offset = 0
    args.left = args.right = UNBOUNDED
    args.key_lengths = args.query_lengths = NULL
    args.sinks = args.slopes = NULL


cdef void set_rows_defaults(RowsArgs* args, size_t size) noexcept nogil:
    args.size = size
    if size != sizeof(RowsArgs):
        return
    args.dtype = FLOAT32
    args.function = SOFTMAX
    args.threads = 0
    args.x_column_stride = args.out_column_stride = sizeof(float)
    args.x_row_stride = args.out_row_stride = <int64_t> (<size_t> args.columns * sizeof(float))


cdef int attend(
    AttentionArgs args, int dtype, int64_t itemsize, const void* query, const void* key, const void* value, void* out,
    int causal, int threads,
) noexcept nogil:
    args.dtype = dtype
    args.threads = threads
    args.query = contiguous(query, args.heads, args.queries, args.width, itemsize)
    args.key = contiguous(key, args.kv_heads, args.keys, args.width, itemsize)
    args.value = contiguous(value, args.kv_heads, args.keys, args.value_width, itemsize)
    args.out = contiguous(out, args.heads, args.queries, args.value_width, itemsize)
    if causal:
        args.right = 0
    return attention(&args)


cdef int attention_float32(
    const float* query, const float* key, const float* value, float* out, int64_t batch, int64_t heads,
    int64_t kv_heads, int64_t queries, int64_t keys, int64_t width, int64_t value_width, int causal, int threads,
) noexcept nogil:
    cdef AttentionArgs args = attention_args(batch, heads, kv_heads, queries, keys, width, value_width)
    return attend(args, FLOAT32, sizeof(float), query, key, value, out, causal, threads)


cdef int attention_float64(
    const double* query, const double* key, const double* value, double* out, int64_t batch, int64_t heads,
    int64_t kv_heads, int64_t queries, int64_t keys, int64_t width, int64_t value_width, int causal, int threads,
) noexcept nogil:
    cdef AttentionArgs args = attention_args(batch, heads, kv_heads, queries, keys, width, value_width)
    return attend(args, FLOAT64, sizeof(double), query, key, value, out, causal, threads)


cdef int attention_halves(
    int dtype, const uint16_t* query, const uint16_t* key, const uint16_t* value, uint16_t* out, int64_t batch,
    int64_t heads, int64_t kv_heads, int64_t queries, int64_t keys, int64_t width, int64_t value_width, int causal,
    int threads,
) noexcept nogil:
    if dtype != FLOAT16 and dtype != BFLOAT16:
        return ERROR_DTYPE
    cdef AttentionArgs args = attention_args(batch, heads, kv_heads, queries, keys, width, value_width)
    return attend(args, dtype, sizeof(uint16_t), query, key, value, out, causal, threads)


cdef int softmax(
    int dtype, int64_t itemsize, const void* x, void* out, int64_t count, int64_t columns, int threads
) noexcept nogil:
    cdef RowsArgs args = rows_args(x, out, count, columns)
    args.dtype = dtype
    args.threads = threads
    args.x_column_stride = args.out_column_stride = itemsize
    args.x_row_stride = args.out_row_stride = <int64_t> (<size_t> columns * <size_t> itemsize)
    return rows(&args)


cdef int softmax_float32(const float* x, float* out, int64_t count, int64_t columns, int threads) noexcept nogil:
    return softmax(FLOAT32, sizeof(float), x, out, count, columns, threads)


cdef int softmax_float64(const double* x, double* out, int64_t count, int64_t columns, int threads) noexcept nogil:
    return softmax(FLOAT64, sizeof(double), x, out, count, columns, threads)
