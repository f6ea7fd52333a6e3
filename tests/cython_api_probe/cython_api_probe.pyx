# cython: language_level=3
"""The C functions of pyattn.cython_api as a Python test can call them: arrays come as addresses and byte strides."""

from libc.stdint cimport int64_t, uint16_t, uintptr_t

cimport pyattn.cython_api as door

OK = door.OK
BOTTOM_RIGHT, TOP_LEFT, AT_OFFSET = door.BOTTOM_RIGHT, door.TOP_LEFT, door.AT_OFFSET
DTYPES = {"float32": door.FLOAT32, "float64": door.FLOAT64, "float16": door.FLOAT16, "bfloat16": door.BFLOAT16}
FUNCTIONS = {"softmax": door.SOFTMAX, "log_softmax": door.LOG_SOFTMAX, "logsumexp": door.LOGSUMEXP}
ERRORS = {
    "ARGS": door.ERROR_ARGS, "NULL": door.ERROR_NULL, "DTYPE": door.ERROR_DTYPE, "FUNCTION": door.ERROR_FUNCTION,
    "SIZE": door.ERROR_SIZE, "HEADS": door.ERROR_HEADS, "SCALE": door.ERROR_SCALE, "SOFTCAP": door.ERROR_SOFTCAP,
    "MASK": door.ERROR_MASK, "LENGTHS": door.ERROR_LENGTHS, "THREADS": door.ERROR_THREADS,
    "OUTPUT": door.ERROR_OUTPUT, "MEMORY": door.ERROR_MEMORY, "SYSTEM": door.ERROR_SYSTEM,
}


cdef void* pointer(object address) except? NULL:
    return <void*> <uintptr_t> address


cdef door.Array array(tuple place) except *:
    cdef door.Array a
    a.data = pointer(place[0])
    a.batch_stride, a.head_stride, a.row_stride, a.column_stride = place[1:]
    return a


cdef door.AttentionArgs arguments(tuple sizes, dict fields) except *:
    cdef door.AttentionArgs args = door.attention_args(
        sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6]
    )
    for name, value in fields.items():
        if name == "query": args.query = array(value)
        elif name == "key": args.key = array(value)
        elif name == "value": args.value = array(value)
        elif name == "out": args.out = array(value)
        elif name == "lse": args.lse = array(value)
        elif name == "keep": args.keep = array(value)
        elif name == "bias": args.bias = array(value)
        elif name == "size": args.size = value
        elif name == "dtype": args.dtype = value
        elif name == "bias_dtype": args.bias_dtype = value
        elif name == "threads": args.threads = value
        elif name == "scale": args.scale = value
        elif name == "softcap": args.softcap = value
        elif name == "align": args.align = value
        elif name == "offset": args.offset = value
        elif name == "left": args.left = value
        elif name == "right": args.right = value
        elif name == "key_lengths": args.key_lengths = <int64_t*> pointer(value)
        elif name == "query_lengths": args.query_lengths = <int64_t*> pointer(value)
        elif name == "sinks": args.sinks = <double*> pointer(value)
        elif name == "slopes": args.slopes = <double*> pointer(value)
        else: raise KeyError(name)
    return args


def attention(tuple sizes, dict fields):
    cdef door.AttentionArgs args = arguments(sizes, fields)
    cdef int code
    with nogil:
        code = door.attention(&args)
    return code


def attention_of_nothing():
    return door.attention(NULL)


def contiguous_attention(str dtype, query, key, value, out, tuple sizes, int causal, int threads):
    cdef int64_t batch, heads, kv_heads, queries, keys, width, value_width
    batch, heads, kv_heads, queries, keys, width, value_width = sizes
    cdef void* q = pointer(query)
    cdef void* k = pointer(key)
    cdef void* v = pointer(value)
    cdef void* o = pointer(out)
    cdef int number = DTYPES.get(dtype, 99)
    if dtype == "float32":
        return door.attention_float32(<float*> q, <float*> k, <float*> v, <float*> o, batch, heads, kv_heads, queries,
                                     keys, width, value_width, causal, threads)
    if dtype == "float64":
        return door.attention_float64(<double*> q, <double*> k, <double*> v, <double*> o, batch, heads, kv_heads,
                                     queries, keys, width, value_width, causal, threads)
    return door.attention_halves(number, <uint16_t*> q, <uint16_t*> k, <uint16_t*> v, <uint16_t*> o, batch, heads,
                                kv_heads, queries, keys, width, value_width, causal, threads)


def rows(x, out, int64_t count, int64_t columns, dict fields):
    cdef door.RowsArgs args = door.rows_args(pointer(x), pointer(out), count, columns)
    for name, value in fields.items():
        if name == "size": args.size = value
        elif name == "dtype": args.dtype = value
        elif name == "function": args.function = value
        elif name == "threads": args.threads = value
        elif name == "x_strides": args.x_row_stride, args.x_column_stride = value
        elif name == "out_strides": args.out_row_stride, args.out_column_stride = value
        else: raise KeyError(name)
    return door.rows(&args)


def softmax(str dtype, x, out, int64_t count, int64_t columns, int threads):
    if dtype == "float32":
        return door.softmax_float32(<float*> pointer(x), <float*> pointer(out), count, columns, threads)
    return door.softmax_float64(<double*> pointer(x), <double*> pointer(out), count, columns, threads)


def meet(address, int me, tuple sizes, dict fields, int64_t most):
    """Call the core until the other thread is inside this loop as well; how many calls that took, 0 if they never met.

    The threads can meet only if neither holds the GIL: both stay in one `nogil` block from beginning to end.
    """
    cdef door.AttentionArgs args = arguments(sizes, fields)
    cdef int* here = <int*> pointer(address)  # one for each thread
    cdef int64_t calls = 0
    cdef bint met = False
    with nogil:
        while not met and calls < most:
            here[me] = 1
            if door.attention(&args) != door.OK:
                break
            calls += 1
            met = here[1 - me]
    return calls if met else 0


def num_threads():
    return door.num_threads()


def error_message(int code):
    return door.error_message(code).decode()
