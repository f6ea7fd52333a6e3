// Compiled once per instruction set; PYATTN_ISA names it. Exports one table and nothing else.
#include "kernels.h"

#include "additive.h"
#include "attend.h"
#include "decode.h"
#include "fused.h"
#include "merge.h"
#include "rows.h"

#define PYATTN_JOIN_(a, b) a##b
#define PYATTN_JOIN(a, b) PYATTN_JOIN_(a, b)
#define PYATTN_TEXT_(a) #a
#define PYATTN_TEXT(a) PYATTN_TEXT_(a)

namespace pyattn {

static_assert(kKeyBlockKeys == kKeyBlock);

#if PYATTN_PAIRS
#define PYATTN_BFLOAT16_PRODUCTS PairProducts
#define PYATTN_BFLOAT16_ROW_PRODUCTS PairRowProducts
#else
#define PYATTN_BFLOAT16_PRODUCTS FloatProducts
#define PYATTN_BFLOAT16_ROW_PRODUCTS NumberRowProducts<float>
#endif

extern "C" const Kernels PYATTN_JOIN(pyattn_kernels_, PYATTN_ISA) = {
    PYATTN_TEXT(PYATTN_ISA),
    {3 * kLanes<float>, 3 * kLanes<double>, 3 * kLanes<float>, 3 * kLanes<float>},
    {kLanes<float>, kLanes<double>, kLanes<float>, kLanes<float>},
    {attend_by<FloatProducts>, attend_by<DoubleProducts>, attend_by<FloatProducts>,
     attend_by<PYATTN_BFLOAT16_PRODUCTS>},
    {attend_scratch<float>, attend_scratch<double>, attend_scratch<float>, attend_scratch<float>},
    {decode<NumberRowProducts<float>>, decode<NumberRowProducts<double>>, decode<NumberRowProducts<float>>,
     decode<PYATTN_BFLOAT16_ROW_PRODUCTS>},
    {decode_scratch<float>, decode_scratch<double>, decode_scratch<float>, decode_scratch<float>},
    {merge<float>, merge<double>, merge<float>, merge<float>},
    {softmax_row<float>, softmax_row<double>, softmax_row<float>, softmax_row<float>},
    {attend_additive<float>, attend_additive<double>},
    {decode<AdditiveRowProducts<float>>, decode<AdditiveRowProducts<double>>},
    {bias_relu_row<float>, bias_relu_row<double>},
    {bias_gelu_row<float>, bias_gelu_row<double>},
    {residual_layer_norm_row<float>, residual_layer_norm_row<double>},
};

}  // namespace pyattn
