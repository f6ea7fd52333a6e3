// What the processor can do at best: fused multiply-adds a second and bytes read a second.
// peaks.py compiles this file with -O3 -march=native on the machine that it measures, so that the
// vector types below become the registers of that machine.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>
#ifdef __AVX512BF16__
#include <immintrin.h>
#endif
#ifdef __AMX_BF16__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

typedef float F32x16 __attribute__((vector_size(64)));
typedef float F32x8 __attribute__((vector_size(32)));
typedef double F64x8 __attribute__((vector_size(64)));

// An FMA takes 4 cycles and two start in each cycle, so at least 8 chains must be in flight;
// 12 and the two operands still fit the 16 registers of AVX2.
constexpr int kChains = 12;
constexpr long kSteps = 20000;

// Each chain converges to addend / (1 - factor): neither overflow nor subnormal numbers, which are slow.
template <class Vector>
double fma_block() {
  Vector factor = {}, addend = {};
  factor += 0.5f;
  addend += 1.0f;
  asm volatile("" : "+x"(factor), "+x"(addend));
  Vector chain[kChains] = {};
  for (Vector& c : chain) asm volatile("" : "+x"(c));  // unknown to the compiler, or equal chains become one
  for (long step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = chain[i] * factor + addend;
    asm volatile("");
  }
  for (int i = 0; i < kChains; ++i) asm volatile("" : : "x"(chain[i]));
  return 2.0 * kSteps * kChains * static_cast<double>(sizeof(Vector) / sizeof(factor[0]));
}

#ifdef __AVX512BF16__
double bf16_dot_block() {
  __m512bh left = (__m512bh)_mm512_set1_epi16(0x3f80), right = (__m512bh)_mm512_set1_epi16(0x3f00);
  asm volatile("" : "+v"(left), "+v"(right));
  __m512 chain[kChains] = {};
  for (__m512& c : chain) asm volatile("" : "+v"(c));
  for (long step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = _mm512_dpbf16_ps(chain[i], left, right);
    asm volatile("");
  }
  for (int i = 0; i < kChains; ++i) asm volatile("" : : "v"(chain[i]));
  return 4.0 * kSteps * kChains * 16;  // a lane multiplies and adds two pairs
}
#endif

#ifdef __AMX_BF16__
bool may_use_tiles() {
  constexpr int kRequest = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
}

// Tiles of zeros in registers: 16 × 32 pairs by 32 × 16, four sums at a time.
double bf16_tile_block() {
  struct alignas(64) {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } shape;
  _tile_loadconfig(&shape);
  for (long step = 0; step < kSteps; ++step) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
  return 4.0 * kSteps * 2 * 16 * 16 * 32;
}
#endif

// Runs block() again and again in each thread for the given time; the sum of the threads' rates.
template <class Block>
double rate(int threads, double seconds, Block block) {
  std::vector<double> rates(static_cast<size_t>(threads));
  auto work = [&](int thread) {
    block(thread);  // wakes the wide units and the clock
    double done = 0;
    const auto start = Clock::now();
    do done += block(thread);
    while (seconds_since(start) < seconds);
    rates[static_cast<size_t>(thread)] = done / seconds_since(start);
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (auto& other : others) other.join();
  double sum = 0;
  for (double r : rates) sum += r;
  return sum;
}

double read_bytes(const char* bytes, size_t count) {
  constexpr size_t kStride = 8 * sizeof(F32x16);
  constexpr size_t kAhead = 8192;  // two pages: the hardware's own prefetcher stops at the end of each
  F32x16 sums[8] = {};
  for (size_t at = 0; at + kStride <= count; at += kStride) {
    const F32x16* line = reinterpret_cast<const F32x16*>(bytes + at);
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; ++i) {
      __builtin_prefetch(bytes + at + kAhead + i * sizeof(F32x16));
      sums[i] += line[i];
    }
  }
  for (int i = 0; i < 8; ++i) asm volatile("" : : "x"(sums[i]));
  return static_cast<double>(count);
}

}  // namespace

extern "C" {

// Operations a second of all threads together, or 0 where the processor has no such instruction.
double peak_f32_wide(int threads, double seconds) {
  return rate(threads, seconds, [](int) { return fma_block<F32x16>(); });
}
double peak_f32_256(int threads, double seconds) {
  return rate(threads, seconds, [](int) { return fma_block<F32x8>(); });
}
double peak_f64(int threads, double seconds) {
  return rate(threads, seconds, [](int) { return fma_block<F64x8>(); });
}
double peak_bf16(int threads, double seconds) {
#ifdef __AMX_BF16__
  if (may_use_tiles()) return rate(threads, seconds, [](int) { return bf16_tile_block(); });
#endif
#ifdef __AVX512BF16__
  return rate(threads, seconds, [](int) { return bf16_dot_block(); });
#else
  return (void)threads, (void)seconds, 0.0;
#endif
}

// Bytes a second: each thread reads its part of one buffer of `count` bytes, over and over.
double read_bandwidth(const char* buffer, size_t count, int threads, double seconds) {
  const size_t part = count / static_cast<size_t>(threads) / 64 * 64;
  return rate(threads, seconds,
              [=](int thread) { return read_bytes(buffer + part * static_cast<size_t>(thread), part); });
}
}
