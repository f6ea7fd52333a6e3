// Compiled once per instruction set; PYATTN_ISA names it. Exports one table and nothing else.
#include "kernels.h"

#include "additive.h"
#include "attend.h"
#include "decode.h"
#include "layer_norm.h"
#include "linear.h"
#include "merge.h"
#include "rows.h"

#define PYATTN_JOIN_(a, b) a##b
#define PYATTN_JOIN(a, b) PYATTN_JOIN_(a, b)
#define PYATTN_TEXT_(a) #a
#define PYATTN_TEXT(a) PYATTN_TEXT_(a)

namespace pyattn {

static_assert(kKeyBlockKeys == kKeyBlock);
static_assert(LinearBlock<float>::kOutputs == LinearBlock<double>::kOutputs);

#if PYATTN_TILES
using AttendBFloat16 = Attend<TileProducts, 4, 4>;
using RowProductsOfBFloat16 = PairRowProducts;
#elif PYATTN_PAIRS
using AttendBFloat16 = Attend<PairProducts, 3, 4>;
using RowProductsOfBFloat16 = PairRowProducts;
#else
using AttendBFloat16 = Attend<FloatProducts, 3, 4>;
using RowProductsOfBFloat16 = NumberRowProducts<float>;
#endif
using AttendFloat = Attend<FloatProducts, 3, 4>;
using AttendDouble = Attend<DoubleProducts, 3, 4>;

extern "C" const Kernels PYATTN_JOIN(pyattn_kernels_, PYATTN_ISA) = {
    PYATTN_TEXT(PYATTN_ISA),
    {AttendFloat::kLeastRows, AttendDouble::kLeastRows, AttendFloat::kLeastRows, AttendBFloat16::kLeastRows},
    {AttendFloat::kRows, AttendDouble::kRows, AttendFloat::kRows, AttendBFloat16::kRows},
    {kLanes<float>, kLanes<double>, kLanes<float>, kLanes<float>},
    {AttendFloat::run, AttendDouble::run, AttendFloat::run, AttendBFloat16::run},
    {AttendFloat::scratch, AttendDouble::scratch, AttendFloat::scratch, AttendBFloat16::scratch},
    {decode<NumberRowProducts<float>>, decode<NumberRowProducts<double>>, decode<NumberRowProducts<float>>,
     decode<RowProductsOfBFloat16>},
    {decode_scratch<float>, decode_scratch<double>, decode_scratch<float>, decode_scratch<float>},
    {merge<float>, merge<double>, merge<float>, merge<float>},
    {softmax_row<float>, softmax_row<double>, softmax_row<float>, softmax_row<float>},
    {attend_additive<float>, attend_additive<double>},
    {decode<AdditiveRowProducts<float>>, decode<AdditiveRowProducts<double>>},
    {LinearBlock<float>::kRows, LinearBlock<double>::kRows},
    LinearBlock<float>::kOutputs,
    {linear<float>, linear<double>},
    {LinearBlock<float>::scratch, LinearBlock<double>::scratch},
    {linear_few<float>, linear_few<double>},
    {layer_norm_row<float>, layer_norm_row<double>},
};

}  // namespace pyattn
