// The tile unit (AMX): eight registers of 16 rows by 64 bytes, and products of two of them added to a third.
//
//     C[r][c] += Σ_t  A[r][2t] · B[t][2c] + A[r][2t + 1] · B[t][2c + 1]
//
// for 16 × 32 bfloat16 in A, 16 pairs of rows by 16 columns in B, 16 × 16 float in C. Every tile is used at its
// full size: what is smaller is padded with zeros in memory. The compiler does not know these registers, so that the
// instructions are spelled out, each a barrier to moving loads and stores of what lies in memory.
#pragma once

#include "simd.h"

#if defined(__AMX_BF16__)
#define PYATTN_TILES 1

namespace pyattn {
namespace {

constexpr std::int64_t kTileSide = 16;    // rows, and floats in a row
constexpr std::int64_t kTileHalves = 32;  // bfloat16 in a row

// While it lives, this thread's tile registers are set up; the state is the thread's, and is left as it was new.
struct TileUnit {
  TileUnit() {
    struct alignas(64) {
      std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
      std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
      std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
    } shape;
    __asm__ volatile("ldtilecfg %0" : : "m"(shape));
  }
  ~TileUnit() { __asm__ volatile("tilerelease"); }
  TileUnit(const TileUnit&) = delete;
  TileUnit& operator=(const TileUnit&) = delete;
};

template <int Register> PYATTN_INLINE void tile_zero() { __asm__ volatile("tilezero %%tmm%c0" : : "i"(Register)); }
template <int Register> PYATTN_INLINE void tile_load(const void* p, std::int64_t row_stride) {
  __asm__ volatile("tileloadd (%1,%2,1), %%tmm%c0" : : "i"(Register), "r"(p), "r"(row_stride) : "memory");
}
template <int Register> PYATTN_INLINE void tile_store(void* p, std::int64_t row_stride) {
  __asm__ volatile("tilestored %%tmm%c0, (%1,%2,1)" : : "i"(Register), "r"(p), "r"(row_stride) : "memory");
}
template <int C, int A, int B> PYATTN_INLINE void tile_multiply() {
  __asm__ volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(C), "i"(A), "i"(B));
}

// ---- 32 halves as four lanes of 8 ----

typedef std::uint16_t Words __attribute__((vector_size(64)));

// In each lane a square: element j of row i becomes element i of row j. Dealing out two halves of a pack of 8 like
// cards turns the bits of (row, element) by one place; three times exchange them.
PYATTN_INLINE void transpose_lanes(Words* rows) {
#pragma GCC unroll 3
  for (int round = 0; round < 3; ++round) {
    Words dealt[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      dealt[2 * i] = (Words)_mm512_unpacklo_epi16((__m512i)rows[i], (__m512i)rows[i + 4]);
      dealt[2 * i + 1] = (Words)_mm512_unpackhi_epi16((__m512i)rows[i], (__m512i)rows[i + 4]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) rows[i] = dealt[i];
  }
}

}  // namespace
}  // namespace pyattn
#else
#define PYATTN_TILES 0
#endif
