/* The core as a table of C functions, for compiled code that does not go through Python objects.
   Plain C: pyattn/cython_api.pyx reads it from the capsule `pyattn._core._C_API`, so that a process has one core, with
   one choice of instruction set and one number of threads. pyattn/cython_api.pxd documents every field. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PYATTN_API_NAME "pyattn._core._C_API"
#define PYATTN_API_VERSION 1 /* counts up when the table or a structure changes */

enum { PYATTN_FLOAT32, PYATTN_FLOAT64, PYATTN_FLOAT16, PYATTN_BFLOAT16 };
enum { PYATTN_BOTTOM_RIGHT, PYATTN_TOP_LEFT, PYATTN_AT_OFFSET };
enum { PYATTN_SOFTMAX, PYATTN_LOG_SOFTMAX, PYATTN_LOGSUMEXP };

enum {
  PYATTN_OK,
  PYATTN_ERROR_ARGS,
  PYATTN_ERROR_NULL,
  PYATTN_ERROR_DTYPE,
  PYATTN_ERROR_FUNCTION,
  PYATTN_ERROR_SIZE,
  PYATTN_ERROR_HEADS,
  PYATTN_ERROR_SCALE,
  PYATTN_ERROR_SOFTCAP,
  PYATTN_ERROR_MASK,
  PYATTN_ERROR_LENGTHS,
  PYATTN_ERROR_THREADS,
  PYATTN_ERROR_OUTPUT,
  PYATTN_ERROR_MEMORY,
  PYATTN_ERROR_SYSTEM
};

/* An array of (batch, heads, rows, columns); strides in bytes. */
typedef struct pyattn_array {
  void* data;
  int64_t batch_stride, head_stride, row_stride, column_stride;
} pyattn_array;

typedef struct pyattn_attention_args {
  size_t size; /* of this structure as the caller knows it */
  int32_t dtype, threads;
  int64_t batch, heads, kv_heads, queries, keys, width, value_width;
  pyattn_array query, key, value, out, lse;
  double scale, softcap;
  int32_t align, bias_dtype;
  int64_t offset, left, right;
  const int64_t* key_lengths;
  const int64_t* query_lengths;
  pyattn_array keep, bias;
  const double* sinks;
  const double* slopes;
} pyattn_attention_args;

typedef struct pyattn_rows_args {
  size_t size;
  int32_t dtype, function, threads;
  int64_t rows, columns;
  const void* x;
  void* out;
  int64_t x_row_stride, x_column_stride, out_row_stride, out_column_stride; /* bytes */
} pyattn_rows_args;

typedef struct pyattn_api {
  uint32_t version;
  size_t attention_args_size, rows_args_size;
  int (*attention)(const pyattn_attention_args* args);
  int (*rows)(const pyattn_rows_args* args);
  int (*num_threads)(void);
  const char* (*error_message)(int code);
} pyattn_api;
